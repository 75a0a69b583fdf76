/** The server cannot start. The text says why and what the administrator can do. */
export class StartupError extends Error {
  override name = 'StartupError'

  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(`${problem}\n${remedy}`, options)
  }
}
