import { TemplateError } from './template-error.ts'

type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma' | 'nothing'

const words: Record<Expected, string> = {
  value: 'a value',
  'first value': 'a value or ]',
  name: 'a name in quotes',
  'first name': 'a name in quotes or }',
  colon: 'a colon',
  comma: 'a comma, } or ]',
  nothing: 'nothing more',
}
const maxDepth = 100
const token = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/

/** Checks JSON while it is written, and reports an error with its line in the template. */
export class JsonPosition {
  #open: ('{' | '[')[] = []
  #expected: Expected = 'value'
  #inText = false
  /** remaining characters of an escape in a string */
  #escape = 0
  #token = ''

  /** The kind of value that fits this position. */
  get kind(): 'text' | 'escape' | 'value' | 'name' | 'token' | 'between' {
    if (this.#inText) return this.#escape > 0 ? 'escape' : 'text'
    if (this.#token !== '') return 'token'
    if (this.#expected === 'value' || this.#expected === 'first value') return 'value'
    return this.#expected === 'name' || this.#expected === 'first name' ? 'name' : 'between'
  }

  get expectedWords(): string {
    return words[this.#expected]
  }

  /** Literal text; `line` is its first line. */
  feed(text: string, startLine: number): void {
    let line = startLine
    for (const character of text) {
      if (this.#inText) this.#inside(character, line)
      else this.#outside(character, line)
      if (character === '\n') line++
    }
  }

  finish(line: number): void {
    if (this.#inText) throw new TemplateError(line, 'the JSON ends inside a text; a quote is expected')
    this.#endToken(line)
    if (this.#expected === 'nothing') return
    const missing =
      this.#open.at(-1) === '{'
        ? '} is expected'
        : this.#open.length > 0
          ? '] is expected'
          : 'a value is expected'
    throw new TemplateError(line, `the JSON ends too early; ${missing}`)
  }

  #inside(character: string, line: number) {
    if (this.#escape === 1 && character === 'u') this.#escape = 5
    else if (this.#escape > 1) {
      if (!/[0-9a-fA-F]/.test(character))
        throw new TemplateError(line, 'four hexadecimal digits are expected after \\u')
      this.#escape = this.#escape === 2 ? 0 : this.#escape - 1
    } else if (this.#escape === 1) {
      if (!'"\\/bfnrt'.includes(character))
        throw new TemplateError(line, `\\${character} is not valid JSON; write \\\\ for a backslash`)
      this.#escape = 0
    } else if (character === '\\') this.#escape = 1
    else if (character === '"') {
      this.#inText = false
      this.#expected = this.#expected === 'name' || this.#expected === 'first name' ? 'colon' : this.#behind()
    } else if (character < ' ')
      throw new TemplateError(line, 'a text in JSON ends on its line; write \\n for a line end')
  }

  #outside(character: string, line: number) {
    if (/[A-Za-z0-9+.-]/.test(character)) {
      if (this.#token === '' && this.kind !== 'value') this.#fail(character, line)
      this.#token += character
      if (this.#token.length > 400) this.#fail(this.#token.slice(0, 20), line)
      return
    }
    this.#endToken(line)
    if (' \t\r\n'.includes(character)) return
    const expected = this.#expected
    if (character === '"' && (this.kind === 'value' || this.kind === 'name')) this.#inText = true
    else if (character === ':' && expected === 'colon') this.#expected = 'value'
    else if (character === ',' && expected === 'comma')
      this.#expected = this.#open.at(-1) === '{' ? 'name' : 'value'
    else if ((character === '{' || character === '[') && this.kind === 'value') this.#begin(character, line)
    else if (
      character === '}' &&
      this.#open.at(-1) === '{' &&
      (expected === 'comma' || expected === 'first name')
    )
      this.#end()
    else if (
      character === ']' &&
      this.#open.at(-1) === '[' &&
      (expected === 'comma' || expected === 'first value')
    )
      this.#end()
    else this.#fail(character, line)
  }

  #begin(character: '{' | '[', line: number) {
    if (this.#open.length >= maxDepth) throw new TemplateError(line, `more than ${maxDepth} levels of JSON`)
    this.#open.push(character)
    this.#expected = character === '{' ? 'first name' : 'first value'
  }

  #end() {
    this.#open.pop()
    this.#expected = this.#behind()
  }

  #behind = (): Expected => (this.#open.length === 0 ? 'nothing' : 'comma')

  #endToken(line: number) {
    if (this.#token === '') return
    if (!token.test(this.#token)) {
      throw new TemplateError(
        line,
        `${this.#token.slice(0, 40)} is not valid JSON; a text in quotes, a number, true, false or null is expected`,
      )
    }
    this.#token = ''
    this.#expected = this.#behind()
  }

  #fail(found: string, line: number): never {
    throw new TemplateError(line, `${words[this.#expected]} is expected in the JSON, not ${found}`)
  }
}
