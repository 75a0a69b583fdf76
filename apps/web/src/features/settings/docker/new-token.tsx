import { type ApiToken, postToken } from '@pulse/contract'
import { type FormEvent, useState } from 'react'
import { revealToken, useReveal } from '../../../parts/token-reveal/revealed-token.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { generationFailure } from '../token-refusals.tsx'
import { useTokenChange } from '../use-access-change.ts'
import { defaultName, isTokenOf } from './existing-token.tsx'
import type { Host } from './hosts.ts'
import { InstallCommand } from './install-command.tsx'

interface NewTokenProps {
  /** undefined until loaded */
  tokenCount: number | undefined
  hosts: readonly Host[]
}

/** A new token for one host, and the command that contains it while the page still has the token. */
export function NewToken({ tokenCount, hosts }: NewTokenProps) {
  const [name, setName] = useState('')
  const [made, setMade] = useState<ApiToken>()
  const { revealed } = useReveal()
  const generate = useGenerateToken((record) => {
    setMade(record)
    setName('')
  })
  const fallback = defaultName(tokenCount ?? 0)
  const text = made && revealed && isTokenOf(revealed.token, made) ? revealed.token : undefined
  const failure = generationFailure(generate.error)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    generate.mutate(name.trim() || fallback)
  }

  return (
    <div className="flex flex-col gap-4 p-4">
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <TextField
          label="Token name"
          value={name}
          onChange={setName}
          placeholder={fallback}
          hint="Optional. Report-only token, locked to the first host that uses it."
          maxLength={128}
          autoComplete="off"
          className="max-w-md flex-1 basis-72"
        />
        <Button
          type="submit"
          variant={text === undefined ? 'primary' : 'secondary'}
          disabled={generate.isPending || tokenCount === undefined}
          className="h-9 sm:mt-6"
        >
          {generate.isPending ? 'Generating...' : made ? 'Generate another token' : 'Generate token'}
        </Button>
      </form>
      {failure && (
        <Notice tone="red" title={failure.title} announce>
          {failure.reason}
        </Notice>
      )}
      {made && text === undefined && (
        <Notice>No saved token found in this browser. Generate a new token instead.</Notice>
      )}
      {made && text !== undefined && <InstallCommand token={text} tokenId={made.id} hosts={hosts} />}
    </div>
  )
}

/** A report-only token that binds to the first host that uses it. */
const useGenerateToken = (onGenerated: (record: ApiToken) => void) =>
  useTokenChange(
    (api, name: string) => api.call(postToken, { body: { name, scopes: ['docker:report'], oneHost: true } }),
    ({ token, record }) => {
      onGenerated(record)
      revealToken({
        token,
        record,
        source: 'Settings → Docker hosts',
        note: 'New API token generated. Copy it below while it is still visible.',
      })
    },
  )
