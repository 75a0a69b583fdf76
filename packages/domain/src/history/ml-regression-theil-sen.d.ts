/** Version 3.0.0 has no types of its own; tsconfig.base.json names this file for them. */
export class TheilSenRegression {
  constructor(x: readonly number[], y: readonly number[])
  readonly slope: number
  readonly intercept: number
}
