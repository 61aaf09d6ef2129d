import ts from 'typescript';

/**
 * @typedef {object} Title of a test or a group in a source
 * @property {boolean} group a `describe`
 * @property {string} text as it is written; `%s` taken from the table where it comes first
 */

/**
 * A call that makes tests: `it`, `test` or `describe`, deep or not, with a table or without, or a table of
 * support/verify; nothing that skips.
 */
const maker = /^(?:deep\.)?(test|it|describe|judgeValues|refuseEach)(\.each\b|$)/;

/**
 * The titles of the tests and groups that a source makes. Comments and other strings are none.
 * @param {string} file
 * @param {string} source
 */
export function titlesIn(file, source) {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  /** @type {Map<string, ts.Expression>} */
  const tables = new Map();
  /** @type {Title[]} */
  const titles = [];
  visit(tree);
  return titles;

  /** @param {ts.Node} node */
  function visit(node) {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      tables.set(node.name.getText(), node.initializer);
    }
    if (ts.isCallExpression(node)) {
      const [, kind] = maker.exec(node.expression.getText()) ?? [];
      if (node.expression.getText() === 'judgeEach') titles.push(...keysOf(node.arguments[1]));
      if (kind !== undefined) {
        titles.push(...textsOf(node).map((text) => ({ group: kind === 'describe', text })));
      }
    }
    ts.forEachChild(node, visit);
  }

  /**
   * The names of the rows of `judgeEach`.
   * @param {ts.Expression | undefined} rows
   * @returns {Title[]}
   */
  function keysOf(rows) {
    if (rows === undefined || !ts.isObjectLiteralExpression(rows)) return [];
    return rows.properties.flatMap(({ name }) =>
      name !== undefined && ts.isStringLiteralLike(name) ? [{ group: false, text: name.text }] : [],
    );
  }

  /** @param {ts.CallExpression} call */
  function textsOf(call) {
    const [first] = call.arguments;
    if (first === undefined || !(ts.isStringLiteralLike(first) || ts.isTemplateExpression(first))) return [];
    const text = first.getText().slice(1, -1);
    if (!text.startsWith('%s') || !ts.isCallExpression(call.expression)) return [text];
    const [table] = call.expression.arguments;
    return firstCells(table).map((cell) => cell + text.slice(2));
  }

  /**
   * @param {ts.Expression | undefined} table
   * @returns {string[]}
   */
  function firstCells(table) {
    const rows = table !== undefined && ts.isIdentifier(table) ? tables.get(table.text) : table;
    if (rows === undefined || !ts.isArrayLiteralExpression(rows)) return [];
    return rows.elements.flatMap((row) => {
      const [cell] = ts.isArrayLiteralExpression(row) ? row.elements : [row];
      return cell !== undefined && ts.isStringLiteralLike(cell) ? [cell.text] : [];
    });
  }
}
