import type { ApiToken } from '@pulse/contract'
import { useId } from 'react'
import { tokenHint, tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { When } from '../when.tsx'
import { namedHosts, namesText } from '../host-names.ts'
import { type Host, hostsOfToken } from './hosts.ts'

interface TokenListProps {
  tokens: readonly ApiToken[]
  hosts: readonly Host[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

/** A choice among the existing tokens. */
export function TokenList({ tokens, hosts, chosen, onChoose }: TokenListProps) {
  const name = useId()
  return (
    <fieldset className="overflow-clip rounded-md border border-line">
      <legend className="sr-only">Existing tokens</legend>
      <ul className="max-h-72 overflow-y-auto">
        {tokens.map((token) => (
          <li key={token.id} className="border-b border-line last:border-b-0">
            <label className="flex items-start gap-2.5 px-3 py-2 text-table hover:bg-hover">
              <input
                type="radio"
                name={name}
                value={token.id}
                checked={token.id === chosen}
                onChange={() => onChoose(token.id)}
                className="check mt-0.5"
              />
              <span className="min-w-0 flex-1">
                <span className="font-medium break-all">{tokenName(token)}</span>{' '}
                <code className="font-mono text-xs text-ink-2">{tokenHint(token)}</code>
                <span className="block text-xs break-words text-ink-2">
                  {usersOf(token, hosts)}
                  {' · '}
                  {token.lastUsedAt === undefined ? (
                    'never used'
                  ) : (
                    <>
                      used <When time={token.lastUsedAt} inline="ago" />
                    </>
                  )}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}

function usersOf({ id, oneHost, boundHost }: ApiToken, hosts: readonly Host[]): string {
  if (boundHost) return `For ${boundHost.name} alone`
  const names = hostsOfToken(hosts, id)
  if (names.length > 0) return namesText(names, namedHosts.warning)
  return oneHost ? 'For the first host that reports with it' : 'No host'
}
