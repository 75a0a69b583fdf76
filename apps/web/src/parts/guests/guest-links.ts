import { getGuestsMetadata, type Guest, type GuestMetadata } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'
import { useLiveContext } from '../../live/live.tsx'
import { safeUrl } from '../../lib/links.ts'

export type GuestLinks = Readonly<Record<string, GuestMetadata>>

const none: GuestLinks = {}

/** Links by the store's identity once found: a guest that migrates changes its id and keeps its link. */
const found = new WeakMap<GuestLinks, Map<string, string>>()

/** Names that people gave a link of their own, loaded once. Without them the page works all the same. */
export function useGuestLinks(): GuestLinks {
  const api = useApi()
  const { store } = useLiveContext()
  const [links, setLinks] = useState(none)

  useEffect(() => {
    const gone = new AbortController()
    const take = (loaded: GuestLinks) => {
      for (const [storeId, guest] of store.records('guests')) guestLink(loaded, guest, storeId)
      setLinks(loaded)
    }
    api
      .call(getGuestsMetadata, { signal: gone.signal })
      .then((reply) => take(reply ?? none))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) log.warn('Guest metadata could not be loaded', error)
      })
    return () => gone.abort()
  }, [api, store])

  return links
}

/** Under the guest's id, or under node and number as older versions kept it. */
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
