export function raise(error: unknown): never {
  throw error
}
