import { getGuestsMetadata, type Guest, type GuestMetadata } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { load } from '../../api/load.ts'
import { useLiveContext } from '../../live/live.tsx'
import { safeUrl } from '../../lib/links.ts'

export type GuestLinks = Readonly<Record<string, GuestMetadata>>

const none: GuestLinks = {}

/** Cached links by store id. A guest that migrates changes its wire id but keeps its link. */
const found = new WeakMap<GuestLinks, Map<string, string>>()

/** Custom links of guests, loaded once. The page works without them. */
export function useGuestLinks(): GuestLinks {
  const api = useApi()
  const { store } = useLiveContext()
  const [links, setLinks] = useState(none)

  useEffect(() => {
    return load(
      (signal) => api.call(getGuestsMetadata, { signal }),
      (reply) => {
        const loaded: GuestLinks = reply ?? none
        for (const [storeId, guest] of store.records('guests')) guestLink(loaded, guest, storeId)
        setLinks(loaded)
      },
      'Guest metadata could not be loaded',
    )
  }, [api, store])

  return links
}

/** By the guest's id, or by node and VMID as older versions stored it. */
export function guestLink(
  links: GuestLinks,
  { id, node, vmid }: Pick<Guest, 'id' | 'node' | 'vmid'>,
  storeId: string,
): string | undefined {
  let known = found.get(links)
  if (!known) found.set(links, (known = new Map()))
  const key = [id, `${node}-${vmid}`].find((one) => Object.hasOwn(links, one) && links[one]?.customUrl)
  if (key === undefined) return known.get(storeId)
  const url = safeUrl(links[key]?.customUrl)
  if (url) known.set(storeId, url)
  return url
}
