// Compares the row type of each raw SQL statement of libs/database with the columns that PostgreSQL describes for it.
// A statement's text comes from the source: a value becomes a parameter, a fragment its text; of
// two alternatives, the longer one counts.
import { Client } from 'pg';
import ts from 'typescript';

const KINDS = {
  string: ['text', 'uuid', 'int8', 'name', 'numeric', 'varchar'],
  number: ['int2', 'int4', 'float4', 'float8', 'oid'],
  boolean: ['bool'],
  Date: ['timestamptz'],
  Buffer: ['bytea'],
};
const KIND_OF = new Map(Object.entries(KINDS).flatMap(([kind, names]) => names.map((name) => [name, kind])));

const { config } = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path));
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
const program = ts.createProgram(['libs/database/src/index.ts'], options);
const checker = program.getTypeChecker();

/** @returns one line for each difference, with its place */
export async function rowTypeFaults(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query('select oid::int, typname from pg_type');
    const names = new Map(rows.map(({ oid, typname }) => [oid, typname]));
    const faults = [];
    const found = [...statements()];
    for (const statement of found) faults.push(...(await faultsOf(client, statement, names)));
    // If a new code style hides statements from this script, the check must fail.
    if (found.length < 70) faults.push(`only ${found.length} statements were found`);
    return faults;
  } finally {
    await client.end();
  }
}

async function faultsOf(client, { node, text, row }, names) {
  const file = node.getSourceFile();
  const place = `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  try {
    const fields = await described(client, text);
    const columns = new Map(fields.map(({ name, dataTypeID }) => [name, names.get(dataTypeID)]));
    return (row === undefined ? [] : checker.getPropertiesOfType(row)).flatMap((property) => {
      const [wanted, column] = [kindIn(checker.getTypeOfSymbol(property)), columns.get(property.name)];
      if (column === undefined) return [`${place}: no column "${property.name}"`];
      return wanted === kindOf(column) ? [] : [`${place}: "${property.name}" is ${column}, not ${wanted}`];
    });
  } catch (error) {
    return [`${place}: ${error.message}\n${text}`];
  }
}

/** The columns of a statement, which PostgreSQL prepares and does not run. */
const described = (client, text) =>
  new Promise((resolve, reject) => {
    let fields = [];
    client.query({
      submit: (connection) => {
        connection.parse({ text });
        connection.describe({ type: 'S' });
        connection.sync();
      },
      handleRowDescription: (message) => (fields = message.fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    });
  });

/** Every executed template, and every queried named statement. */
function* statements() {
  for (const file of program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.includes('libs/database/src/')))
    for (const node of descendants(file)) {
      const given = node.typeArguments?.[0];
      const row = given && checker.getTypeFromTypeNode(given);
      if (ts.isTaggedTemplateExpression(node) && node.parent.name?.text === 'execute') {
        const text = fragment(node, { bound: new Map() });
        let count = 0;
        if (text !== undefined) yield { node, text: text.replaceAll('$?', () => `$${(count += 1)}`), row };
      } else if (
        ts.isCallExpression(node) &&
        row !== undefined &&
        /^(query|executeQuery)$/.test(node.expression.name?.text)
      ) {
        const text = namedStatement(node.arguments[0]);
        if (text !== undefined) yield { node, text, row };
      }
    }
}

function* descendants(node) {
  yield node;
  for (const child of node.getChildren()) yield* descendants(child);
}

/** The text of a statement passed as `NAME` or `CompiledQuery.raw(NAME.text, …)`. */
function namedStatement(node) {
  if (ts.isCallExpression(node)) return namedStatement(node.arguments[0]);
  if (ts.isPropertyAccessExpression(node)) return namedStatement(node.expression);
  const text = initializer(node)?.properties?.find(({ name }) => name.text === 'text')?.initializer;
  return text && ts.isStringLiteralLike(text) ? text.text : undefined;
}

/** The SQL of an expression; undefined when it depends on run-time values. */
function fragment(node, at) {
  if (ts.isTaggedTemplateExpression(node)) {
    const { template } = node;
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
    const parts = template.templateSpans.map(({ expression, literal }) => [
      fragment(expression, at),
      literal.text,
    ]);
    return parts.some(([part]) => part === undefined)
      ? undefined
      : template.head.text + parts.flat().join('');
  }
  if (ts.isParenthesizedExpression(node)) return fragment(node.expression, at);
  if (ts.isConditionalExpression(node) && isFragment(node))
    return longest([node.whenTrue, node.whenFalse], at);
  if (ts.isElementAccessExpression(node) && isFragment(node)) {
    const { properties } = initializer(node.expression);
    return longest(
      properties.map((property) => property.initializer),
      at,
    );
  }
  if (ts.isCallExpression(node)) return called(node, at);
  if (!isFragment(node)) return '$?';
  const bound = at.bound.get(checker.getSymbolAtLocation(node));
  const value = bound ?? initializer(node) ?? argumentFor(node);
  // A condition that is built at run time, for example by a filter.
  return value === undefined ? 'true' : fragment(value, at);
}

const isFragment = (node) => checker.getTypeAtLocation(node).symbol?.name.endsWith('RawBuilder') ?? false;
const longest = (nodes, at) =>
  nodes.map((node) => fragment(node, at)).toSorted((a, b) => b.length - a.length)[0];

function called(node, at) {
  const {
    expression,
    arguments: [first, separator],
  } = node;
  if (expression.expression?.getText() === 'sql') {
    if (expression.name.text === 'join')
      return (
        elements(first, at)
          .map((part) => fragment(part, at))
          .join(separator ? fragment(separator, at) : ', ') || 'true'
      );
    const type = first.kind === ts.SyntaxKind.Identifier && at.bound.get(checker.getSymbolAtLocation(first));
    const { value, types } = checker.getTypeAtLocation(type || first);
    return value ?? types?.[0].value;
  }
  if (!isFragment(node)) return '$?';
  const initial = initializer(expression);
  if (initial && ts.isCallExpression(initial))
    return `$?::${initial.arguments[0].properties[0].initializer.text}[]`;
  const { declaration } = checker.getResolvedSignature(node);
  declaration.parameters.forEach((parameter, index) =>
    at.bound.set(checker.getSymbolAtLocation(parameter.name), node.arguments[index]),
  );
  return longest(resultsOf(declaration), at);
}

function elements(node, at) {
  if (ts.isParenthesizedExpression(node)) return elements(node.expression, at);
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((element) => elements(element, at));
  if (ts.isSpreadElement(node)) return elements(node.expression, at);
  if (ts.isConditionalExpression(node) && !isFragment(node)) return elements(node.whenTrue, at);
  if (ts.isCallExpression(node) && !isFragment(node))
    return resultsOf(checker.getResolvedSignature(node).declaration).flatMap((result) =>
      elements(result, at),
    );
  if (isFragment(node)) return [node];
  const value = ts.isIdentifier(node) ? initializer(node) : undefined;
  return value === undefined ? [] : elements(value, at);
}

/** The argument for a parameter in the first call in the file. */
function argumentFor(node) {
  const parameter = checker.getSymbolAtLocation(node)?.valueDeclaration;
  if (parameter === undefined || !ts.isParameter(parameter)) return undefined;
  const { parent: callee } = parameter;
  const name = callee.name?.text ?? callee.parent.name?.text;
  const call = [...descendants(node.getSourceFile())].find(
    (inner) => ts.isCallExpression(inner) && inner.expression.getText() === name,
  );
  return call?.arguments[callee.parameters.indexOf(parameter)];
}

/** The expressions that a function may return; none for a function without a body, such as a library's. */
function resultsOf({ body }) {
  if (body === undefined || !ts.isBlock(body)) return body === undefined ? [] : [body];
  return [...descendants(body)]
    .filter((inner) => ts.isReturnStatement(inner))
    .map(({ expression }) => expression);
}

function initializer(node) {
  let symbol = checker.getSymbolAtLocation(node);
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
  const declaration = symbol?.valueDeclaration;
  return declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
}

const kindOf = (name) =>
  (name.startsWith('_') ? `${kindOf(name.slice(1))}[]` : (KIND_OF.get(name) ?? name)).replace(
    /^jsonb?$/,
    'json',
  );

function kindIn(type) {
  const plain = checker.getNonNullableType(type);
  const one = plain.isUnion()
    ? checker.getBaseTypeOfLiteralType(plain.types[0])
    : checker.getBaseTypeOfLiteralType(plain);
  const name = checker.typeToString(one);
  if (checker.isArrayType(plain)) {
    const element = kindIn(checker.getTypeArguments(plain)[0]);
    return element === 'json' ? 'json' : `${element}[]`;
  }
  return name in KINDS ? name : name.startsWith('Buffer') ? 'Buffer' : 'json';
}
