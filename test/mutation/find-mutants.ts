import {
  type ArrowFunction,
  type BinaryExpression,
  type Block,
  type CallExpression,
  type Expression,
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isDoStatement,
  isElementAccessExpression,
  isExpressionStatement,
  isForInStatement,
  isForOfStatement,
  isForStatement,
  isFunctionLikeDeclaration,
  isIdentifier,
  isIfStatement,
  isNewExpression,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSourceFile,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isTypeNode,
  isWhileStatement,
  type Node,
  NodeFlags,
  type PostfixUnaryExpression,
  type PrefixUnaryExpression,
  type SourceFile,
  SyntaxKind,
} from 'typescript/unstable/ast'
import type { Mutant } from './mutant.ts'

export type FoundMutant = Omit<Mutant, 'id' | 'path'>

/** What is changed within functions. Code that runs only while a module is loaded is left alone. */
export function findMutants(file: SourceFile): FoundMutant[] {
  const found = new Map<string, FoundMutant>()
  const visit = (node: Node, isInFunction: boolean) => {
    if (isLeftAlone(node)) return
    if (isInFunction)
      for (const change of changesOf(node, file)) {
        const mutant = placed(change, file)
        if (mutant) found.set(`${mutant.start} ${mutant.end} ${mutant.replacement}`, mutant)
      }
    const within = isInFunction || isFunctionLikeDeclaration(node)
    node.forEachChild((child) => visit(child, within))
  }
  visit(file, false)
  return [...found.values()].sort((one, other) => one.start - other.start || other.end - one.end)
}

/** The bodies of loops, where their turns can be counted. */
export function findLoops(file: SourceFile): number[] {
  const loops: number[] = []
  const visit = (node: Node): void => {
    if (isLoop(node) && isBlock(node.statement)) loops.push(node.statement.getStart(file) + 1)
    node.forEachChild(visit)
  }
  visit(file)
  return loops
}

/** `at` may be a part of an optional chain, which can only be replaced as a whole. */
type Change = { operator: string; at: Node; from: number; to: number; text: string }

function changesOf(node: Node, file: SourceFile): Change[] {
  if (isBlock(node)) return blockChanges(node, file)
  if (isBinaryExpression(node)) return [...conditionChanges(node, file), ...binaryChanges(node, file)]
  if (isPrefixUnaryExpression(node)) return [...conditionChanges(node, file), ...prefixChanges(node, file)]
  if (isPostfixUnaryExpression(node)) return postfixChanges(node, file)
  if (isCallExpression(node)) return [...conditionChanges(node, file), ...callChanges(node, file)]
  if (isArrowFunction(node)) return arrowChanges(node, file)
  return [...conditionChanges(node, file), ...literalChanges(node, file), ...chainChanges(node, file)]
}

function whole(operator: string, at: Node, file: SourceFile, text: string): Change {
  return { operator, at, from: at.getStart(file), to: at.end, text }
}

function blockChanges(node: Block, file: SourceFile): Change[] {
  return node.statements.length === 0 ? [] : [whole('block', node, file, '{}')]
}

const COMPARISONS: Partial<Record<SyntaxKind, string[]>> = {
  [SyntaxKind.LessThanToken]: ['<=', '>='],
  [SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
}

const OTHERS: Partial<Record<SyntaxKind, string>> = {
  [SyntaxKind.AmpersandAmpersandToken]: '||',
  [SyntaxKind.BarBarToken]: '&&',
  [SyntaxKind.QuestionQuestionToken]: '&&',
  [SyntaxKind.PlusToken]: '-',
  [SyntaxKind.MinusToken]: '+',
  [SyntaxKind.AsteriskToken]: '/',
  [SyntaxKind.SlashToken]: '*',
  [SyntaxKind.PercentToken]: '*',
  [SyntaxKind.PlusEqualsToken]: '-=',
  [SyntaxKind.MinusEqualsToken]: '+=',
  [SyntaxKind.AsteriskEqualsToken]: '/=',
  [SyntaxKind.QuestionQuestionEqualsToken]: '&&=',
  [SyntaxKind.BarBarEqualsToken]: '&&=',
  [SyntaxKind.AmpersandAmpersandEqualsToken]: '||=',
}

function binaryChanges(node: BinaryExpression, file: SourceFile): Change[] {
  const { left, operatorToken, right } = node
  const first = left.getText(file)
  const swap = (operator: string, text: string): Change =>
    whole(
      operator,
      node,
      file,
      `${isAssignment(operatorToken.kind) ? first : `(${first})`} ${text} (${right.getText(file)})`,
    )
  const comparisons = COMPARISONS[operatorToken.kind]
  if (comparisons) {
    return [
      ...comparisons.map((text) => swap('comparison', text)),
      whole('condition', node, file, 'true'),
      whole('condition', node, file, 'false'),
    ]
  }
  const other = OTHERS[operatorToken.kind]
  if (other === undefined || (other === '-' && [left, right].some(isText))) return []
  return [swap('operator', other)]
}

const isText = (node: Node) =>
  isStringLiteral(node) || isTemplateExpression(node) || isNoSubstitutionTemplateLiteral(node)

function prefixChanges(node: PrefixUnaryExpression, file: SourceFile): Change[] {
  const operand = node.operand.getText(file)
  if (node.operator === SyntaxKind.ExclamationToken) return [whole('negation', node, file, operand)]
  if (node.operator === SyntaxKind.MinusToken) return [whole('operator', node, file, `+${operand}`)]
  if (node.operator === SyntaxKind.PlusPlusToken) return [whole('operator', node, file, `--${operand}`)]
  if (node.operator === SyntaxKind.MinusMinusToken) return [whole('operator', node, file, `++${operand}`)]
  return []
}

function postfixChanges(node: PostfixUnaryExpression, file: SourceFile): Change[] {
  const sign = node.operator === SyntaxKind.PlusPlusToken ? '--' : '++'
  return [whole('operator', node, file, `${node.operand.getText(file)}${sign}`)]
}

const RENAMED: Record<string, string> = {
  endsWith: 'startsWith',
  startsWith: 'endsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  some: 'every',
  every: 'some',
}

const OF_MATH: Record<string, string> = { min: 'max', max: 'min', floor: 'ceil', ceil: 'floor' }

const LEFT_OUT = new Set([
  'trim',
  'slice',
  'substring',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'filter',
  'flat',
])

function callChanges(node: CallExpression, file: SourceFile): Change[] {
  const called = node.expression
  const changes = [...statementChanges(node, file), ...chainChanges(node, file)]
  if (!isPropertyAccessExpression(called)) return changes
  const name = called.name.getText(file)
  const names = called.expression.getText(file) === 'Math' ? OF_MATH : RENAMED
  const renamed = Object.hasOwn(names, name) ? names[name] : undefined
  if (renamed !== undefined)
    changes.push({
      operator: 'method',
      at: node,
      from: called.name.getStart(file),
      to: called.name.end,
      text: renamed,
    })
  if (LEFT_OUT.has(name))
    changes.push({ operator: 'method', at: node, from: called.expression.end, to: node.end, text: '' })
  return changes
}

function arrowChanges(node: ArrowFunction, file: SourceFile): Change[] {
  return isBlock(node.body) || node.body.getText(file) === 'undefined'
    ? []
    : [whole('function', node.body, file, 'undefined')]
}

function literalChanges(node: Node, file: SourceFile): Change[] {
  if (node.kind === SyntaxKind.TrueKeyword) return [whole('literal', node, file, 'false')]
  if (node.kind === SyntaxKind.FalseKeyword) return [whole('literal', node, file, 'true')]
  if (isText(node)) return textChanges(node, file)
  if (isArrayLiteralExpression(node)) {
    const text = node.elements.length === 0 ? "['other']" : '[]'
    return isAssigned(node) ? [] : [whole('literal', node, file, text)]
  }
  if (isObjectLiteralExpression(node) && node.properties.length > 0 && !isAssigned(node))
    return [whole('literal', node, file, '{}')]
  return statementChanges(node, file)
}

function textChanges(node: Node, file: SourceFile): Change[] {
  const { parent } = node
  if (isTaggedTemplateExpression(parent) || isExpressionStatement(parent)) return []
  if (isPropertyAssignment(parent) && parent.name === node) return []
  return [whole('literal', node, file, node.end - node.getStart(file) === 2 ? "'other'" : "''")]
}

/** A statement that is an expression, left out. */
function statementChanges(node: Node, file: SourceFile): Change[] {
  return isExpressionStatement(node.parent) && !isIdentifier(node)
    ? [whole('statement', node, file, 'undefined')]
    : []
}

function conditionChanges(node: Node, file: SourceFile): Change[] {
  const changes =
    isBinaryExpression(node) || isPrefixUnaryExpression(node) ? statementChanges(node, file) : []
  const { parent } = node
  const texts = isLoop(parent) && !isForOfStatement(parent) ? ['false'] : ['true', 'false']
  return isCondition(node, parent)
    ? [...changes, ...texts.map((text) => whole('condition', node, file, text))]
    : changes
}

function isCondition(node: Node, parent: Node): boolean {
  if (isIfStatement(parent) || isWhileStatement(parent) || isDoStatement(parent))
    return parent.expression === node
  if (isConditionalExpression(parent) || isForStatement(parent)) return parent.condition === node
  return false
}

/** `a?.b` as `a.b`. */
function chainChanges(node: Node, file: SourceFile): Change[] {
  if (!isPropertyAccessExpression(node) && !isElementAccessExpression(node) && !isCallExpression(node))
    return []
  const token = node.questionDotToken
  if (token === undefined) return []
  return [
    {
      operator: 'chain',
      at: node,
      from: token.getStart(file),
      to: token.end,
      text: isPropertyAccessExpression(node) ? '.' : '',
    },
  ]
}

function placed({ operator, at, from, to, text }: Change, file: SourceFile): FoundMutant | undefined {
  const place = outermost(at)
  const start = place.getStart(file)
  if (isWritten(place)) return undefined
  const source = file.text
  return {
    operator,
    line: source.slice(0, from).split('\n').length,
    start,
    end: place.end,
    replacement: source.slice(start, from) + text + source.slice(to, place.end),
    isBlock: isBlock(place),
    beginsStatement: beginsStatement(place, file),
  }
}

/** An optional chain ends early as a whole: parentheses within it would change what it means. */
function outermost(node: Node): Node {
  const { parent } = node
  const isLink =
    (isPropertyAccessExpression(parent) || isElementAccessExpression(parent) || isCallExpression(parent)) &&
    parent.expression === node &&
    (parent.flags & NodeFlags.OptionalChain) !== 0
  if (isLink || (isNonNullExpression(parent) && (node.flags & NodeFlags.OptionalChain) !== 0))
    return outermost(parent)
  return node
}

/** What is assigned, counted up or deleted must stay a place in memory, and a callee must keep its object. */
function isWritten(node: Node): boolean {
  const { parent } = node
  if (isBinaryExpression(parent)) return parent.left === node && isAssignment(parent.operatorToken.kind)
  if (isCallExpression(parent)) return parent.expression === node && isPropertyAccessExpression(node)
  return (
    isPostfixUnaryExpression(parent) ||
    parent.kind === SyntaxKind.DeleteExpression ||
    (isPrefixUnaryExpression(parent) &&
      [SyntaxKind.PlusPlusToken, SyntaxKind.MinusMinusToken].includes(parent.operator))
  )
}

const isAssignment = (kind: SyntaxKind) =>
  kind >= SyntaxKind.FirstAssignment && kind <= SyntaxKind.LastAssignment

const isAssigned = (node: Expression) =>
  isBinaryExpression(node.parent) && node.parent.left === node && isAssignment(node.parent.operatorToken.kind)

function beginsStatement(place: Node, file: SourceFile): boolean {
  let node = place
  while (!isExpressionStatement(node)) {
    if (isSourceFile(node) || node.parent.getStart(file) !== place.getStart(file)) return false
    node = node.parent
  }
  return isBlock(node.parent) || isCaseClause(node.parent)
}

const isLoop = (node: Node) =>
  isWhileStatement(node) ||
  isDoStatement(node) ||
  isForStatement(node) ||
  isForOfStatement(node) ||
  isForInStatement(node)

/** Types do nothing, imports are no values, and what an error says is read by people. */
function isLeftAlone(node: Node): boolean {
  return (
    isTypeNode(node) ||
    node.kind === SyntaxKind.ImportDeclaration ||
    node.kind === SyntaxKind.ExportDeclaration ||
    node.kind === SyntaxKind.InterfaceDeclaration ||
    node.kind === SyntaxKind.TypeAliasDeclaration ||
    (isNewExpression(node) &&
      isIdentifier(node.expression) &&
      /^(Type|Range)?Error$/.test(node.expression.text))
  )
}
