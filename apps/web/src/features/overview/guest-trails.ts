import { useEffect, useState } from 'react'
import type { ConnectionSource } from '../../live/connection.ts'
import { useLiveContext } from '../../live/live.tsx'
import type { LiveStore } from '../../live/store.ts'
import type { Expansion } from '../../parts/list/expansion.ts'
import { expandedGuests } from './guest-name.tsx'
import { viewGuest } from './guest-view.ts'

/** Figures received while a guest's details were open, in percent; undefined for gaps. */
export interface GuestTrail {
  times: readonly number[]
  cpu: readonly (number | undefined)[]
  memory: readonly (number | undefined)[]
}

export interface GuestTrails {
  get(id: string): GuestTrail
  subscribe(id: string, listener: () => void): () => void
  /** Follows expanded guests and drops closed ones. The returned function drops all. */
  follow(expansion: Pick<Expansion, 'get' | 'subscribe'>): () => void
}

interface Followed {
  trail: GuestTrail
  stop: () => void
}

type Sources = { store: Pick<LiveStore, 'get' | 'onRecord'>; connection: ConnectionSource }

export const trailLength = 360
const nothing: GuestTrail = { times: [], cpu: [], memory: [] }

export function createGuestTrails({ store, connection }: Sources, now = Date.now): GuestTrails {
  const followed = new Map<string, Followed>()
  const listeners = new Map<string, Set<() => void>>()
  const notify = (id: string) => listeners.get(id)?.forEach((listener) => listener())

  const add = (id: string, cpu: number | undefined, memory: number | undefined) => {
    const one = followed.get(id)
    if (!one) return
    const { trail } = one
    one.trail = {
      times: [...trail.times, now()].slice(-trailLength),
      cpu: [...trail.cpu, cpu].slice(-trailLength),
      memory: [...trail.memory, memory].slice(-trailLength),
    }
    notify(id)
  }

  const sample = (id: string) => {
    const guest = store.get('guests', id)
    const view = guest && viewGuest(guest, 'online')
    if (!view || view.stale) add(id, undefined, undefined)
    else add(id, view.cpuPercent, view.memoryPercent)
  }

  const start = (id: string) => {
    followed.set(id, { trail: nothing, stop: store.onRecord('guests', id, () => sample(id)) })
    sample(id)
  }

  const forget = (id: string) => {
    followed.get(id)?.stop()
    followed.delete(id)
    notify(id)
  }

  return {
    get: (id) => followed.get(id)?.trail ?? nothing,
    subscribe(id, listener) {
      const own = listeners.get(id) ?? new Set()
      listeners.set(id, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(id)
      }
    },
    follow(expansion) {
      const look = () => {
        const open = expansion.get()
        for (const id of followed.keys()) if (!open.has(id)) forget(id)
        for (const id of open) if (!followed.has(id)) start(id)
      }
      look()
      let lost = false
      const stops = [
        expansion.subscribe(look),
        connection.subscribe(() => {
          const connected = connection.get().status === 'connected'
          // one gap, however long the outage
          if (!connected && !lost) for (const id of followed.keys()) add(id, undefined, undefined)
          lost = !connected
        }),
      ]
      return () => {
        for (const stop of stops) stop()
        for (const id of followed.keys()) forget(id)
      }
    },
  }
}

/** Trails of expanded guests, for the life of the page. */
export function useGuestTrails(): GuestTrails {
  const live = useLiveContext()
  const [trails] = useState(() => createGuestTrails(live))
  useEffect(() => trails.follow(expandedGuests), [trails])
  return trails
}
