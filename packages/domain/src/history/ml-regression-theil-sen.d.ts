/** The package has no types of its own. */
declare module 'ml-regression-theil-sen' {
  export class TheilSenRegression {
    /** The line with the median slope of all pairs, and the median intercept at that slope. */
    constructor(x: readonly number[], y: readonly number[])
    readonly slope: number
    readonly intercept: number
  }
}
