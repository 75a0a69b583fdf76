import { getGuestsMetadata, type Guest, type GuestMetadata } from '@pulse/contract'
import { useEffect, useState } from 'react'
import { useApi } from '../../api/api.tsx'
import { log } from '../../lib/log.ts'
import { safeUrl } from '../../parts/links.ts'

export type GuestLinks = Readonly<Record<string, GuestMetadata>>

const none: GuestLinks = {}

/** Names that people gave a link of their own, loaded once. Without them the page works all the same. */
export function useGuestLinks(): GuestLinks {
  const api = useApi()
  const [links, setLinks] = useState(none)

  useEffect(() => {
    const gone = new AbortController()
    api
      .call(getGuestsMetadata, { signal: gone.signal })
      .then((reply) => setLinks(reply ?? none))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) log.warn('Guest metadata could not be loaded', error)
      })
    return () => gone.abort()
  }, [api])

  return links
}

/** Under the guest's id, or under node and number as older versions kept it. */
export function guestLink(
  links: GuestLinks,
  { id, node, vmid }: Pick<Guest, 'id' | 'node' | 'vmid'>,
): string | undefined {
  const key = [id, `${node}-${vmid}`].find((one) => Object.hasOwn(links, one) && links[one]?.customUrl)
  return key === undefined ? undefined : safeUrl(links[key]?.customUrl)
}
