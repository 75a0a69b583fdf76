import { lookup, type LookupAddress } from 'node:dns'
import type { Resolve } from './lookup.ts'

type Found = (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void

/** The process can resolve twelve names at once (start/threads.ts). The rest is for monitored sources. */
const atOnce = 8

/** Number of names with a remembered result of their last lookup. */
const remembered = 1_000

/**
 * Resolves at most `most` names at once, each only once. An unresponsive name server blocks a thread for many
 * seconds, even if callers give up earlier and ask again. Names that were found last time go first; names
 * that were not found use at most half of the lookups.
 */
export function limitedLookups(resolve: Resolve, most: number): Resolve {
  const asked = new Map<string, Found[]>()
  const running = new Set<string>()
  /** by name: whether the last lookup found it */
  const wasFound = new Map<string, boolean>()
  let waiting: string[] = []

  const isMissing = (host: string) => wasFound.get(host) === false

  function nextOne(): string | undefined {
    const known = waiting.find((host) => wasFound.get(host) === true)
    const fresh = known ?? waiting.find((host) => !isMissing(host))
    const hasRoom = [...running].filter(isMissing).length < Math.ceil(most / 2)
    return fresh ?? (hasRoom ? waiting[0] : undefined)
  }

  function goOn() {
    while (running.size < most) {
      const host = nextOne()
      if (host === undefined) return
      waiting = waiting.filter((other) => other !== host)
      ask(host)
    }
  }

  function ask(host: string) {
    running.add(host)
    resolve(host, { all: true }, (error, found) => {
      running.delete(host)
      remember(host, !error)
      const callbacks = asked.get(host) ?? []
      asked.delete(host)
      for (const callback of callbacks) callback(error, found)
      goOn()
    })
  }

  function remember(host: string, isFound: boolean) {
    wasFound.delete(host)
    wasFound.set(host, isFound)
    if (wasFound.size > remembered) wasFound.delete(wasFound.keys().next().value!)
  }

  return (host, _options, tell) => {
    const others = asked.get(host)
    if (others) return void others.push(tell)
    asked.set(host, [tell])
    waiting.push(host)
    goOn()
  }
}

/** The lookup of this machine, shared by the whole process. */
export const machineLookup: Resolve = limitedLookups(lookup, atOnce)
