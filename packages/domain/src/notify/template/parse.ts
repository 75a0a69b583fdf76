import { checkPath, type Scope } from './fields.ts'
import { type Piece, scan } from './scan.ts'
import { TemplateError } from './template-error.ts'
import { type Branch, type Expression, functions, isFunction, type Part } from './tree.ts'
import { type Word, wordsOf } from './words.ts'

const maxLength = 64 * 1024
const maxDepth = 30

/** Throws TemplateError. The text is only parsed, never executed. */
export function parseTemplate(source: string): readonly Part[] {
  if (source.length > maxLength) throw new TemplateError(1, 'the template is longer than 64 KB')
  const pieces = scan(source)
  let at = 0

  /** Up to the end of the block, which the caller reads. */
  function parts(scope: Scope, depth: number, opened?: { what: string; line: number }): Part[] {
    const found: Part[] = []
    for (; at < pieces.length; at++) {
      const piece = pieces[at]!
      if (piece.kind === 'text') found.push({ kind: 'text', text: piece.text, line: piece.line })
      else {
        const keyword = keywordOf(piece)
        if (keyword === 'else' || keyword === 'end') {
          if (opened) return found
          throw new TemplateError(
            piece.line,
            `{{${keyword}}} belongs to no block; {{if …}} is expected before it`,
          )
        }
        found.push(part(piece, keyword, scope, depth))
      }
    }
    if (opened)
      throw new TemplateError(opened.line, `{{${opened.what}}} is not closed; {{end}} is expected after it`)
    return found
  }

  function part(piece: Piece, keyword: string, scope: Scope, depth: number): Part {
    const { line } = piece
    if (depth >= maxDepth) throw new TemplateError(line, `more than ${maxDepth} blocks are nested`)
    if (keyword === 'if') return condition(piece, scope, depth)
    if (keyword === 'range') return loop(piece, scope, depth)
    if (refused.has(keyword))
      throw new TemplateError(line, `{{${keyword}}} cannot be used; if, else, end and range can`)
    return { kind: 'print', value: expressionOf(piece.text, line, scope), line }
  }

  function condition(piece: Piece, scope: Scope, depth: number): Part {
    const { line } = piece
    const branches: Branch[] = []
    let test = expressionOf(withoutKeyword(piece.text, 'if'), line, scope)
    for (;;) {
      at++
      const body = parts(scope, depth + 1, { what: 'if …', line })
      branches.push({ test, body })
      const ending = pieces[at]!
      const { isEnd, more } = endingOf(ending)
      if (isEnd) return { kind: 'if', branches, otherwise: [], line }
      if (more === undefined)
        return { kind: 'if', branches, otherwise: lastPart('if …', line, scope, depth), line }
      test = expressionOf(more, ending.line, scope)
    }
  }

  function loop(piece: Piece, scope: Scope, depth: number): Part {
    const { line } = piece
    const over = expressionOf(withoutKeyword(piece.text, 'range'), line, scope)
    if (scope !== 'root' || over.kind !== 'field' || over.path[0] !== 'Alerts') {
      throw new TemplateError(line, 'only .Alerts can be iterated; {{range .Alerts}} is expected')
    }
    at++
    const body = parts('alert', depth + 1, { what: 'range …', line })
    const { isEnd, more } = endingOf(pieces[at]!)
    if (more !== undefined) throw new TemplateError(pieces[at]!.line, '{{else}} or {{end}} is expected here')
    return {
      kind: 'range',
      over,
      body,
      otherwise: isEnd ? [] : lastPart('range …', line, scope, depth),
      line,
    }
  }

  /** After `else`, up to `end`. */
  function lastPart(what: string, line: number, scope: Scope, depth: number): Part[] {
    at++
    const body = parts(scope, depth + 1, { what, line })
    if (!endingOf(pieces[at]!).isEnd)
      throw new TemplateError(pieces[at]!.line, '{{end}} is expected here: {{else}} was there already')
    return body
  }

  return parts('root', 0)
}

const refused = new Set(['with', 'define', 'template', 'block', 'break', 'continue'])

const keywordOf = ({ text }: Piece): string => /^\s*([a-z]+)/.exec(text)?.[1] ?? ''
const withoutKeyword = (text: string, keyword: string): string => text.trimStart().slice(keyword.length)

/** Whether it is `end`, or the condition of `else` and `else if …`. */
function endingOf({ text, line }: Piece): { isEnd: boolean; more?: string } {
  const words = text.trim()
  if (words === 'end') return { isEnd: true }
  if (words === 'else') return { isEnd: false }
  const more = /^else\s+if\b/.exec(words)?.[0]
  if (more) return { isEnd: false, more: words.slice(more.length) }
  throw new TemplateError(line, '{{else}}, {{else if …}} or {{end}} is expected here')
}

function expressionOf(text: string, line: number, scope: Scope): Expression {
  const words = wordsOf(text, line)
  let at = 0
  const fail = (problem: string): never => {
    throw new TemplateError(line, problem)
  }

  function pipeline(depth: number): Expression {
    if (depth > maxDepth) fail(`more than ${maxDepth} parentheses are nested`)
    let value = command(depth, undefined)
    while (words[at]?.kind === '|') {
      at++
      value = command(depth, value)
    }
    return value
  }

  function command(depth: number, piped: Expression | undefined): Expression {
    const word = words[at]
    if (word?.kind === 'name' && !isConstant(word.text)) {
      at++
      return call(word.text, depth, piped)
    }
    if (piped) fail('a function such as upper is expected after |')
    const value = operand(depth)
    const next = words[at]
    if (next && next.kind !== '|' && next.kind !== ')')
      fail('| or }} is expected after a value; only functions take arguments')
    return value
  }

  function call(name: string, depth: number, piped: Expression | undefined): Expression {
    if (!isFunction(name))
      return fail(`there is no function ${name.slice(0, 40)}; there are ${Object.keys(functions).join(', ')}`)
    const args: Expression[] = []
    for (let word = words[at]; word && word.kind !== '|' && word.kind !== ')'; word = words[at])
      args.push(operand(depth))
    if (piped) args.push(piped)
    const [least, most] = functions[name]
    if (args.length < least || args.length > most) {
      fail(`${name} takes ${least === most ? least : `${least} to ${most}`} values, not ${args.length}`)
    }
    return { kind: 'call', name, args, line }
  }

  function operand(depth: number): Expression {
    const word = words[at++]
    if (!word || word.kind === '|' || word.kind === ')')
      return fail('a value is expected, such as .Level or "text"')
    if (word.kind === 'literal') return { kind: 'literal', value: word.value, line }
    if (word.kind === 'field') {
      checkPath(word.path, scope, line)
      return { kind: 'field', path: word.path, line }
    }
    if (word.kind === '(') return inParentheses(depth)
    if (isConstant(word.text)) return { kind: 'literal', value: word.text === 'true', line }
    return fail(`a function among values needs parentheses: (${word.text.slice(0, 40)} …) is expected`)
  }

  function inParentheses(depth: number): Expression {
    const value = pipeline(depth + 1)
    if (words[at]?.kind !== ')') fail(') is expected')
    at++
    const next: Word | undefined = words[at]
    if (next?.kind !== 'field' || !next.joined) return value
    at++
    return { kind: 'field', path: next.path, of: value, line }
  }

  if (words.length === 0) fail('a value is expected, such as .Level or "text"')
  const value = pipeline(0)
  if (at < words.length) fail('}} is expected here')
  return value
}

const isConstant = (name: string): boolean => name === 'true' || name === 'false'
