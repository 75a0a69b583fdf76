import { isEqual } from '@pulse/domain'
import { useCallback } from 'react'
import { useLive } from '../../../live/use-live.ts'
import type { LiveReader } from '../../../live/store.ts'
import { hostName } from '../../../parts/nodes/docker-hosts.ts'
import { compareValues } from '../../../ui/table/sort.ts'
import { namedHosts, namesText } from '../host-names.ts'

/** Names of the Docker hosts that report with a token. Same identity while unchanged. */
function useTokenHosts(tokenId: string): readonly string[] {
  const select = useCallback(
    (live: LiveReader) =>
      [...live.records('dockerHosts').values()]
        .filter((host) => host.tokenId === tokenId)
        .map(hostName)
        .toSorted(compareValues),
    [tokenId],
  )
  return useLive(['dockerHosts'], select, isEqual)
}

interface TokenHostsProps {
  tokenId: string
  /** in line with preceding text instead of below it */
  inline?: boolean
}

/** Docker hosts that use a token, for table cells; renders nothing if unused. */
export function TokenHosts({ tokenId, inline = false }: TokenHostsProps) {
  const names = useTokenHosts(tokenId)
  if (names.length === 0) return null
  const text = `Docker: ${namesText(names, namedHosts.table)}`
  return inline ? ` · ${text}` : <span className="block text-xs break-words text-ink-2">{text}</span>
}

/** Warns about the hosts that lose access when the token is revoked. */
export function LostHosts({ tokenId }: { tokenId: string }) {
  const names = useTokenHosts(tokenId)
  if (names.length === 0) return null
  const [one] = names
  return (
    <p className="break-words">
      {names.length === 1
        ? `The Docker host ${one} uses it and cannot report until it has a new token.`
        : `${names.length} Docker hosts use it and cannot report until they have new tokens: ${namesText(names, namedHosts.warning)}.`}
    </p>
  )
}
