import type { Diagnostics } from '@pulse/contract'

type TokenCheck = Diagnostics['apiTokens']

const usageOf = ({ usage }: TokenCheck, id: string) => usage.find(({ tokenId }) => tokenId === id)

export const isUsedByHosts = (check: TokenCheck, id: string): boolean => hostCountOf(check, id) > 0

const hostCountOf = (check: TokenCheck, id: string) => usageOf(check, id)?.hostCount ?? 0

const mostHosts = 5

export function hostsText(check: TokenCheck, id: string): string {
  const { hosts = [], hostCount = 0 } = usageOf(check, id) ?? {}
  if (hostCount === 0) return 'None'
  const shown = hosts.slice(0, mostHosts)
  const more = hostCount - shown.length
  return [...shown, ...(more > 0 ? [`+${more} more`] : [])].join(', ')
}

/** Revoking a shared token means a new token for all its hosts. */
export const isShared = (check: TokenCheck, id: string): boolean => hostCountOf(check, id) > 1
