export type EngineProblem = 'unreachable' | 'forbidden' | 'timeout' | 'gone' | 'failed'

/** A question that the engine did not answer. */
export class EngineError extends Error {
  readonly problem: EngineProblem

  constructor(problem: EngineProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}
