/** A parsed template. It contains no JavaScript names: functions are entries of a table. */
export type Part =
  | { kind: 'text'; text: string; line: number }
  | { kind: 'print'; value: Expression; line: number }
  | { kind: 'if'; branches: readonly Branch[]; otherwise: readonly Part[]; line: number }
  | { kind: 'range'; over: Expression; body: readonly Part[]; otherwise: readonly Part[]; line: number }

export interface Branch {
  test: Expression
  body: readonly Part[]
}

export type Expression =
  | { kind: 'literal'; value: string | number | boolean; line: number }
  /** an empty path is `.`; with `of`, a field of a parenthesised expression */
  | { kind: 'field'; path: readonly string[]; of?: Expression; line: number }
  | { kind: 'call'; name: FunctionName; args: readonly Expression[]; line: number }

/** Minimum and maximum number of arguments. */
export const functions = {
  and: [1, 20],
  or: [1, 20],
  not: [1, 1],
  eq: [2, 20],
  ne: [2, 2],
  lt: [2, 2],
  le: [2, 2],
  gt: [2, 2],
  ge: [2, 2],
  index: [2, 5],
  len: [1, 1],
  printf: [1, 20],
  title: [1, 1],
  upper: [1, 1],
  lower: [1, 1],
  urlquery: [1, 1],
  urlencode: [1, 1],
  urlpath: [1, 1],
  pathescape: [1, 1],
} as const satisfies Record<string, readonly [number, number]>
export type FunctionName = keyof typeof functions

export const isFunction = (name: string): name is FunctionName => Object.hasOwn(functions, name)
