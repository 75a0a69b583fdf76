import { allScopes, defaultTokenName, type NewTokenInput, postToken, type Scope } from '@pulse/contract'
import { useState } from 'react'
import { revealToken } from '../../../parts/token-reveal/revealed-token.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogForm } from '../../../ui/dialog-form.tsx'
import { SegmentedToggle } from '../../../ui/segmented-toggle.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { generationFailure } from '../token-refusals.tsx'
import { useTokenChange } from '../use-access-change.ts'
import { scopeTexts } from './scopes.ts'

interface NewTokenDialogProps {
  open: boolean
  onClose: () => void
}

export function NewTokenDialog({ open, onClose }: NewTokenDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="New API token">
      <NewTokenForm onClose={onClose} />
    </Dialog>
  )
}

const accesses = [
  { value: 'full', label: 'Full access' },
  { value: 'chosen', label: 'Chosen scopes' },
] as const

function NewTokenForm({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [access, setAccess] = useState<'full' | 'chosen'>('full')
  const [scopes, setScopes] = useState<readonly Scope[]>([])
  const [expiry, setExpiry] = useState<ExpiryChoice>('never')
  const create = useCreateToken(onClose)
  const incomplete = access === 'chosen' && scopes.length === 0

  const chooseAccess = (chosen: typeof access) => {
    setAccess(chosen)
    create.reset()
  }
  const submit = () => {
    const until = expiresAt(expiry, Date.now())
    create.mutate({
      name: name.trim() || defaultTokenName,
      ...(access === 'chosen' && { scopes: [...scopes] }),
      ...(until && { expiresAt: until }),
    })
  }

  return (
    <DialogForm
      onSubmit={submit}
      onCancel={onClose}
      action="Generate token"
      busyAction="Generating..."
      busy={create.isPending}
      incomplete={incomplete}
      failure={generationFailure(create.error)}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder={defaultTokenName}
        maxLength={128}
        autoComplete="off"
        hint="Optional: what or who uses the token"
      />
      <div className="flex flex-col items-start gap-2">
        <SegmentedToggle label="Access" value={access} options={accesses} onChange={chooseAccess} />
        {access === 'full' ? (
          <p className="text-xs text-ink-2">The token may do everything an administrator may do.</p>
        ) : (
          <ul aria-label="Scopes" className="flex flex-col gap-2 pt-1">
            {allScopes.map((scope) => (
              <li key={scope}>
                <Checkbox
                  label={scope}
                  hint={scopeTexts[scope]}
                  checked={scopes.includes(scope)}
                  onChange={(on) =>
                    setScopes(on ? [...scopes, scope] : scopes.filter((other) => other !== scope))
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </div>
      <Select label="Expires" value={expiry} options={expiryChoices} onChange={setExpiry} />
    </DialogForm>
  )
}

const useCreateToken = (onCreated: () => void) =>
  useTokenChange(
    (api, body: NewTokenInput) => api.call(postToken, { body }),
    ({ token, record }) => {
      onCreated()
      revealToken({
        token,
        record,
        source: 'Settings → Security',
        note: 'New API token generated. Copy it below while it is still visible.',
      })
    },
  )

const expiryChoices = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
] as const
type ExpiryChoice = (typeof expiryChoices)[number]['value']

const DAY_MS = 86_400_000

/** RFC 3339; undefined for a token without expiry. */
export const expiresAt = (choice: ExpiryChoice, nowMs: number): string | undefined =>
  choice === 'never' ? undefined : new Date(nowMs + Number(choice) * DAY_MS).toISOString()
