import { Readable } from 'node:stream'
import { FileReply } from './route.ts'

/**
 * Answers with JSON in parts, as the caller takes them. Begins to make them at once, so that a failure at the
 * beginning is an error answer.
 */
export async function jsonReply(parts: AsyncGenerator<string | Uint8Array, void>): Promise<FileReply> {
  const made: (string | Uint8Array)[] = []
  for (let left = firstParts; left > 0; left--) {
    const { value, done } = await parts.next()
    if (done) break
    made.push(value)
  }
  async function* all() {
    yield* made.map((part) => Buffer.from(part))
    for await (const part of parts) yield Buffer.from(part)
  }
  return new FileReply(() => Readable.from(all()), { 'content-type': 'application/json; charset=utf-8' })
}

/** The brackets of the first two objects, and the first part that is read. */
const firstParts = 3
