import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';

// Asks the TypeScript that is installed here what it shows and says of mistakes.ts, and prints where that is not what
// the file says. Usage: node words.mjs <mistakes.ts>

const file = resolve(process.argv[2] ?? 'mistakes.ts');
const ts = createRequire(`${process.cwd()}/`)('typescript');
const text = ts.sys.readFile(file);
const options = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  types: ['node'],
  strict: true,
  skipLibCheck: true,
};
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getScriptFileNames: () => [file],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) => {
    const content = ts.sys.readFile(path);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => dirname(file),
  getCompilationSettings: () => options,
  getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
});
const source = service.getProgram().getSourceFile(file);
const lines = text.split('\n');
const isComment = (line) => /^\s*\/\//.test(line);

/** The comment that a place stands under. */
function commentOf({ start }) {
  const { line } = source.getLineAndCharacterOfPosition(start);
  return lines.findLastIndex((words, index) => index < line && isComment(words));
}

const said = new Map(lines.map((_line, index) => [index, []]));
for (const diagnostic of service.getSemanticDiagnostics(file)) {
  const words = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  said.get(commentOf(diagnostic)).push(words);
}

const oneLine = (words) => words.replaceAll(/\s+/g, ' ');
const faults = [];
let hasChecked = false;
for (const [index, line] of lines.entries()) {
  const [, name, shown] = /^\s*\/\/ hover (\w+): (.*)$/.exec(line) ?? [];
  if (shown !== undefined) {
    hasChecked = true;
    const after = source.getPositionOfLineAndCharacter(index + 1, 0);
    const at = after + text.slice(after).search(new RegExp(`\\b${name}\\b`));
    const hover = oneLine(ts.displayPartsToString(service.getQuickInfoAtPosition(file, at)?.displayParts));
    if (hover !== shown) faults.push(`${index + 2}: hover over ${name}\n  ${hover}\n  ${shown}`);
  }
  const [, most = '3', words] = /^\s*\/\/ error(?:\((\d)\))?: (.*)$/.exec(line) ?? [];
  const errors = said.get(index);
  if (words === undefined) {
    if (errors.length > 0) faults.push(`${index + 2}: nobody expected ${errors.join('\n')}`);
    continue;
  }
  hasChecked = true;
  if (!errors[0]?.includes(words) || errors.some((error) => error.split('\n').length > Number(most))) {
    faults.push(`${index + 2}: ${errors.join('\n') || 'no error'}`);
  }
}
if (!hasChecked) faults.push('No comment says what is expected.');
const verdict = faults.length === 0 ? 'as expected' : 'not as expected';
console.log([`TypeScript ${ts.version}: ${verdict}`, ...faults].join('\n'));
process.exitCode = faults.length === 0 ? 0 : 1;
