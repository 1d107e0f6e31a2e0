// A plugin of Nest's compiler that runs after that of @nestjs/swagger. It adds to the schemas of a DTO's fields what that plugin
// does not read from their types: the keywords in the tags of a type alias (libs/contracts/src/field-types.ts), and the order
// of a closed list. The compiler keeps unions in an order of its own, which can change with any other file.
import ts from 'typescript';

const { factory } = ts;
const KEYWORDS = ['asType', 'format', 'pattern', 'minimum', 'maximum'];

export const before = (_options, program) => {
  const checker = program.getTypeChecker();

  return (context) => (sourceFile) => {
    if (!sourceFile.fileName.endsWith('.dto.ts')) return sourceFile;
    return ts.visitEachChild(
      sourceFile,
      (node) => (ts.isClassDeclaration(node) ? complete(node, context) : node),
      context,
    );
  };

  /** The class with completed results of the method that @nestjs/swagger has added. */
  function complete(dto, context) {
    const types = new Map(
      dto.members.filter(ts.isPropertyDeclaration).map(({ name, type }) => [name.text, type]),
    );
    const extend = (node) => {
      if (!ts.isPropertyAssignment(node)) return ts.visitEachChild(node, extend, context);
      const added = schemaOf(types.get(node.name.text));
      const written = node.initializer.properties.filter(({ name }) => !(name.text in added));
      const properties = [...written, ...Object.entries(added).map(([key, value]) => assign(key, value))];
      return factory.updatePropertyAssignment(
        node,
        node.name,
        factory.createObjectLiteralExpression(properties),
      );
    };
    return ts.visitEachChild(
      dto,
      (member) => (member.name?.text === '_OPENAPI_METADATA_FACTORY' ? extend(member) : member),
      context,
    );
  }

  function schemaOf(node) {
    if (node === undefined) return {};
    if (ts.isArrayTypeNode(node)) return asItems(schemaOf(node.elementType));
    if (ts.isUnionTypeNode(node)) return schemaOfUnion(node.types.filter((one) => one.getText() !== 'null'));
    if (ts.isIndexedAccessTypeNode(node)) return schemaOfList(checker.getTypeFromTypeNode(node.objectType));
    return ts.isTypeReferenceNode(node) ? schemaOfAlias(node.typeName) : {};
  }

  function schemaOfUnion(members) {
    if (members.length === 1) return schemaOf(members[0]);
    const values = members.map((one) => checker.getTypeFromTypeNode(one).value);
    return values.includes(undefined) ? {} : { enum: values };
  }

  function schemaOfList(list) {
    return checker.isTupleType(list)
      ? { enum: checker.getTypeArguments(list).map(({ value }) => value) }
      : {};
  }

  function schemaOfAlias(name) {
    const symbol = checker.getSymbolAtLocation(name);
    const declared = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const alias = declared.declarations?.find(ts.isTypeAliasDeclaration);
    if (alias === undefined) return {};
    const keywords = ts
      .getJSDocTags(alias)
      .filter(({ tagName }) => KEYWORDS.includes(tagName.text))
      .map(({ tagName, comment }) => keywordOf(tagName.text, ts.getTextOfJSDocComment(comment)));
    return { ...schemaOf(alias.type), ...Object.fromEntries(keywords) };
  }
};

function keywordOf(tag, text) {
  if (tag === 'asType') return ['type', text];
  return [tag, tag === 'minimum' || tag === 'maximum' ? Number(text) : text];
}

/** A type that replaces that of @nestjs/swagger, which is written as an array, says that it is one. */
const asItems = (schema) => ('type' in schema ? { ...schema, isArray: true } : schema);

const assign = (key, value) => factory.createPropertyAssignment(key, literalOf(value));

function literalOf(value) {
  if (Array.isArray(value)) return factory.createArrayLiteralExpression(value.map(literalOf));
  if (value === true) return factory.createTrue();
  return typeof value === 'number' ? factory.createNumericLiteral(value) : factory.createStringLiteral(value);
}
