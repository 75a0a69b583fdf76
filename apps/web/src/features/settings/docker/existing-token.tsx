import type { ApiToken } from '@pulse/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Loaded } from '../../../parts/sections/loaded.tsx'
import { useReveal } from '../../../parts/token-reveal/revealed-token.ts'
import { tokenHint, tokenName } from '../../../parts/token-reveal/token-hint.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { hasOtherScopes } from '../security/scopes.ts'
import { listRefusal } from '../token-refusals.tsx'
import { namedHosts, namesText } from '../host-names.ts'
import { type Host, hostsOfToken } from './hosts.ts'
import { InstallCommand } from './install-command.tsx'
import { TokenList } from './token-list.tsx'

interface ExistingTokenProps {
  query: UseQueryResult<{ tokens: ApiToken[] }>
  hosts: readonly Host[]
}

/** Tokens are stored as hashes. The command needs the plain token, from this page or the administrator. */
export function ExistingToken({ query, hosts }: ExistingTokenProps) {
  const [id, setId] = useState<string>()
  const [nowMs] = useState(Date.now)
  const usable = (tokens: readonly ApiToken[]) => tokens.filter((token) => canReport(token, nowMs))
  return (
    <Loaded
      query={query}
      what="API tokens"
      refusal={listRefusal}
      isEmpty={({ tokens }) => usable(tokens).length === 0}
      empty={
        <EmptyState icon={<KeyRound size={24} />} title="No token may report yet">
          Generate a new token for the host.
        </EmptyState>
      }
    >
      {({ tokens }) => {
        const chosen = usable(tokens).find((token) => token.id === id)
        return (
          <div className="flex flex-col gap-4 p-4">
            <TokenList tokens={usable(tokens)} hosts={hosts} chosen={id} onChoose={setId} />
            {chosen && <ChosenToken key={chosen.id} token={chosen} hosts={hosts} />}
          </div>
        )
      }}
    </Loaded>
  )
}

function ChosenToken({ token, hosts }: { token: ApiToken; hosts: readonly Host[] }) {
  const { revealed } = useReveal()
  const [typed, setTyped] = useState('')
  const kept = revealed && isTokenOf(revealed.token, token) ? revealed.token : undefined
  const text = kept ?? (isTokenOf(typed.trim(), token) ? typed.trim() : undefined)
  return (
    <>
      <TokenWarning token={token} hosts={hosts} />
      {kept === undefined && (
        <>
          <Notice>No saved token found in this browser. Generate a new token instead.</Notice>
          <TextField
            label="Or enter the token"
            type="password"
            value={typed}
            onChange={setTyped}
            error={typedTokenError(typed.trim(), token)}
            hint="It stays on this page and becomes part of the command."
            maxLength={256}
            autoComplete="off"
            spellCheck={false}
          />
        </>
      )}
      {text !== undefined && <InstallCommand token={text} tokenId={token.id} hosts={hosts} />}
    </>
  )
}

function TokenWarning({ token, hosts }: { token: ApiToken; hosts: readonly Host[] }) {
  const users = hostsOfToken(hosts, token.id)
  if (token.boundHost) {
    return (
      <Notice tone="yellow" title={`${tokenName(token)} reports for ${token.boundHost.name} alone`}>
        Use it to set up that host again. Any other host is refused.
      </Notice>
    )
  }
  if (users.length > 0) {
    return (
      <Notice
        tone="yellow"
        title={`${users.length === 1 ? 'A host reports' : `${users.length} hosts report`} with this token already`}
      >
        {namesText(users, namedHosts.warning)}. Give each host a token of its own, so that each can be revoked
        alone.
      </Notice>
    )
  }
  if (!hasOtherScopes(token.scopes, 'docker:report')) return null
  return (
    <Notice tone="yellow" title="This token has more than report access">
      Anyone with root on the host can read it. A token generated here can only report.
    </Notice>
  )
}

/** The token may report and has not expired. */
export const canReport = ({ scopes, expiresAt }: ApiToken, nowMs: number): boolean =>
  scopes.includes('docker:report') && (expiresAt === undefined || Date.parse(expiresAt) > nowMs)

/** Name of a new token if the field is empty. */
export const defaultName = (tokenCount: number): string => `Docker host ${tokenCount + 1}`

/** Whether a text can be this record's token. The record holds only its first and last characters. */
export const isTokenOf = (text: string, { prefix, suffix }: Pick<ApiToken, 'prefix' | 'suffix'>): boolean =>
  text.startsWith(prefix) && text.endsWith(suffix) && text.length > prefix.length + suffix.length

/** Error text for a typed token that does not match the record. */
export const typedTokenError = (text: string, record: ApiToken): string | undefined =>
  text === '' || isTokenOf(text, record) ? undefined : `This is not the token ${tokenHint(record)}`
