export interface Expression {
  file: string
  line: number
  pattern?: string
  flags?: string
  problem?: string
}
export function expressionsOf(file: string, text: string): Expression[]
export function problemOf(expression: { pattern: string; flags: string }): Promise<string | undefined>

export function provedExpressions(): { pattern: string; flags: string }[]
