import { useEffect, useEffectEvent } from 'react'
import { useAddress } from '../../ui/router/use-address.ts'
import type { Expansion } from './expansion.ts'

/** An address stays short enough for every proxy on its way. */
const most = 20

/** Opened records stand in the address, and are opened by it. */
export function useOpenInAddress(expansion: Expansion | undefined): void {
  const { params, set } = useAddress()
  const named = params.getAll('open')
  const open = useEffectEvent(({ get, restore }: Expansion) => {
    for (const id of named) if (!get().has(id)) restore(id)
  })
  useEffect(() => {
    if (!expansion) return
    open(expansion)
    return expansion.subscribe(() => set({ open: [...expansion.get()].slice(0, most) }))
  }, [expansion, set])
}
