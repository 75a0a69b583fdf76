import { lookup, type LookupAddress } from 'node:dns'
import type { Resolve } from './lookup.ts'

type Found = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void

/** Of the twelve that the process may resolve at once (start/threads.ts): the rest is for whatever is watched. */
const atOnce = 8

/**
 * So many names at once and no more, each once: a name server that is silent holds a thread for many seconds, however soon
 * whoever asks gives up and asks again.
 */
export function limitedLookups(resolve: Resolve, most: number): Resolve {
  const asked = new Map<string, Found[]>()
  const waiting: string[] = []
  let running = 0

  function next() {
    while (running < most && waiting.length > 0) ask(waiting.shift()!)
  }

  function ask(host: string) {
    running += 1
    resolve(host, { all: true }, (error, found) => {
      running -= 1
      const told = asked.get(host) ?? []
      asked.delete(host)
      for (const tell of told) tell(error, found)
      next()
    })
  }

  return (host, _options, tell) => {
    const others = asked.get(host)
    if (others) return void others.push(tell)
    asked.set(host, [tell])
    waiting.push(host)
    next()
  }
}

/** That of this machine, for the whole process. */
export const machineLookup: Resolve = limitedLookups(lookup, atOnce)
