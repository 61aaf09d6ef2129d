import { createHash } from 'node:crypto';
import ts from 'typescript';

/**
 * A function, or what stands at the top of a module. The text of a part has no other part in it.
 * @typedef {object} Part
 * @property {string} name within its file, such as `createGuard › asyncHandler()`; it does not depend on the line
 * @property {boolean} isFunction
 * @property {string} text without comments, spaces and types: equal where the part does the same
 * @property {readonly string[]} declares the names at the top of the module that it declares
 * @property {ReadonlySet<string>} uses the names that it mentions
 *
 * @typedef {object} Import
 * @property {string} local
 * @property {string} imported `*` for the whole module
 * @property {string} from as it is written
 *
 * @typedef {object} Module
 * @property {readonly Part[]} parts functions in the order of the source
 * @property {readonly Import[]} imports
 * @property {readonly (Import & { exported: string })[]} reexports
 */

/** @param {ts.Node} node */
const isWithBody = (node) => ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/** A statement that is gone when the types are. @param {ts.Node} node */
const isOnlyType = (node) =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  (ts.isFunctionDeclaration(node) && node.body === undefined) ||
  (ts.canHaveModifiers(node) &&
    (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword));

/**
 * The functions and the other parts of a source.
 * @param {string} source
 * @returns {Module}
 */
export function partsOf(source) {
  const tree = ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest, true);
  /** @type {Part[]} */
  const parts = [];
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const statement of tree.statements) {
    if (isOnlyType(statement) || ts.isImportDeclaration(statement) || isReexport(statement)) continue;
    if (isWithBody(statement)) addFunction(statement, '');
    else addStatement(statement);
  }
  return { parts, ...linksOf(tree) };

  /** @param {ts.Statement} statement */
  function addStatement(statement) {
    const functions = onlyFunctionsIn(statement);
    if (functions.length > 0) {
      for (const each of functions) addFunction(each, '');
      return;
    }
    const declares = declaredBy(statement);
    const name = unique(declares.length === 0 ? 'a statement' : `the top of ${declares.join(', ')}`);
    add(name, statement, { isFunction: false, declares }, declares.join(', ') || name);
  }

  /**
   * @param {ts.Node} node
   * @param {string} outer
   */
  function addFunction(node, outer) {
    const own = nameOf(node);
    const name = unique(outer === '' ? own : `${outer} › ${own}`);
    const declares = outer === '' && !own.endsWith('()') ? [own] : [];
    add(name, node, { isFunction: true, declares }, name);
  }

  /**
   * @param {string} name
   * @param {ts.Node} node
   * @param {Pick<Part, 'isFunction' | 'declares'>} kind
   * @param {string} outer
   */
  function add(name, node, kind, outer) {
    /** @type {ts.Node[]} */
    const nested = [];
    /** @type {string[]} */
    const text = [];
    /** @type {Set<string>} */
    const uses = new Set();
    collect(node, node, { nested, text, uses });
    parts.push({ name, ...kind, text: text.join(' '), uses });
    for (const inner of nested) addFunction(inner, outer);
  }

  /**
   * @param {ts.Node} top
   * @param {ts.Node} node
   * @param {{ nested: ts.Node[], text: string[], uses: Set<string> }} found
   */
  function collect(top, node, found) {
    if (node !== top && isWithBody(node)) {
      found.nested.push(node);
      found.text.push('ƒ');
      return;
    }
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isTypeParameterDeclaration(node) || ts.isJSDoc(node) || isOnlyType(node)) return;
    if (ts.isIdentifier(node) && isUse(node)) found.uses.add(node.text);
    const children = node.getChildren(tree);
    const own = children.length === 0 ? node.getText(tree) : '';
    if (own !== '') found.text.push(own);
    for (const child of children) collect(top, child, found);
  }

  /** @param {string} name */
  function unique(name) {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name} #${count}`;
  }
}

/**
 * The functions of a statement that declares nothing else, such as `const half = (n) => n / 2`.
 * @param {ts.Statement} statement
 * @returns {ts.Node[]}
 */
function onlyFunctionsIn(statement) {
  if (!ts.isVariableStatement(statement)) return [];
  const values = statement.declarationList.declarations.map(({ initializer }) => initializer);
  return values.every((value) => value !== undefined && isWithBody(value))
    ? values.filter((value) => value !== undefined)
    : [];
}

/** Whether it stands for a value: not the name of a member. @param {ts.Identifier} node */
function isUse(node) {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(ts.isPropertyAssignment(parent) && parent.name === node);
}

/** @param {ts.Node} node @returns {string} */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const { name } = /** @type {{ name?: ts.Node }} */ (/** @type {unknown} */ (node));
  if (name !== undefined) return name.getText();
  for (let at = node.parent; ; at = at.parent) {
    if (ts.isParenthesizedExpression(at) || ts.isAsExpression(at) || ts.isSatisfiesExpression(at)) continue;
    if (ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at) || ts.isPropertyDeclaration(at)) {
      return at.name.getText();
    }
    if (ts.isCallExpression(at)) {
      const called = at.expression;
      const name = ts.isPropertyAccessExpression(called) ? called.name : called;
      return ts.isIdentifier(name) ? `${name.text}()` : '()';
    }
    return '()';
  }
}

/** @param {ts.Statement} statement @returns {string[]} */
function declaredBy(statement) {
  if (ts.isClassDeclaration(statement) && statement.name !== undefined) return [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
}

/** @param {ts.BindingName} name @returns {string[]} */
function namesIn(name) {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)));
}

/** @param {ts.Node} node @returns {node is ts.ExportDeclaration} */
const isReexport = (node) => ts.isExportDeclaration(node);

/** @param {ts.SourceFile} tree @returns {Pick<Module, 'imports' | 'reexports'>} */
function linksOf(tree) {
  /** @type {Import[]} */
  const imports = [];
  /** @type {(Import & { exported: string })[]} */
  const reexports = [];
  for (const node of tree.statements) {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const from = node.moduleSpecifier.text;
      const { importClause: clause } = node;
      if (clause === undefined) {
        imports.push({ local: '', imported: '', from });
        continue;
      }
      if (clause.isTypeOnly) continue;
      if (clause.name !== undefined) imports.push({ local: clause.name.text, imported: 'default', from });
      const { namedBindings: named } = clause;
      if (named === undefined) continue;
      if (ts.isNamespaceImport(named)) imports.push({ local: named.name.text, imported: '*', from });
      else {
        for (const { name, propertyName, isTypeOnly } of named.elements) {
          if (!isTypeOnly) imports.push({ local: name.text, imported: (propertyName ?? name).text, from });
        }
      }
    }
    if (isReexport(node) && !node.isTypeOnly) {
      const from =
        node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
          ? node.moduleSpecifier.text
          : '';
      const { exportClause: clause } = node;
      if (clause === undefined) reexports.push({ local: '*', imported: '*', exported: '*', from });
      else if (ts.isNamespaceExport(clause))
        reexports.push({ local: '', imported: '*', exported: clause.name.text, from });
      else {
        for (const { name, propertyName, isTypeOnly } of clause.elements) {
          const imported = (propertyName ?? name).text;
          if (!isTypeOnly) reexports.push({ local: imported, imported, exported: name.text, from });
        }
      }
    }
  }
  return { imports, reexports };
}

/** @param {string} text */
export const digest = (text) => createHash('sha256').update(text).digest('hex').slice(0, 12);
