import type { BackTestRequest } from '@pulse/domain'

/**
 * A back-test on its way to the thread. Its things are texts: to copy the objects of a large estate blocks the main
 * thread for some hundred milliseconds, and those of requests that wait fill the memory of the other one.
 */
export interface SentBackTest extends Omit<BackTestRequest, 'things'> {
  things: readonly Uint8Array[]
}

const thingsPerText = 500

/** In steps of one text. */
export function* toSent({ things, ...request }: BackTestRequest): Generator<void, SentBackTest> {
  const texts: Uint8Array[] = []
  for (let n = 0; n < things.length; n += thingsPerText) {
    if (n > 0) yield
    texts.push(shared(JSON.stringify(things.slice(n, n + thingsPerText))))
  }
  return { ...request, things: texts }
}

/** Both threads have the same bytes. */
function shared(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const own = new Uint8Array(new SharedArrayBuffer(bytes.length))
  own.set(bytes)
  return own
}

/** In steps of one text. */
export function* fromSent({ things: texts, ...request }: SentBackTest): Generator<void, BackTestRequest> {
  const decoder = new TextDecoder()
  const things: BackTestRequest['things'][number][] = []
  for (const text of texts) {
    things.push(...(JSON.parse(decoder.decode(text)) as BackTestRequest['things']))
    yield
  }
  return { ...request, things }
}
