/** What is wrong with a template, where, and what is expected there: for whoever writes it. */
export class TemplateError extends Error {
  override name = 'TemplateError'
  readonly line: number

  constructor(line: number, problem: string) {
    super(`Line ${line}: ${problem}`)
    this.line = line
  }
}
