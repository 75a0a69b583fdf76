/** A problem of a template for its author: the line, and the expected input. */
export class TemplateError extends Error {
  override name = 'TemplateError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(`Line ${line}: ${problem}`)
    this.line = line
  }
}
