import { getOidcConfig, type OidcConfig, putOidcConfig } from '@pulse/contract'
import { isEqual } from '@pulse/domain'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useApi } from '../../../api/api.tsx'
import { useSession } from '../../../api/session.tsx'
import { useChange } from '../../../api/use-change.ts'
import { UnsavedGuard } from '../../../parts/sections/unsaved-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { reasonOf } from '../../../api/reason.ts'
import { ClientSecret } from './client-secret.tsx'
import { addressFields, claimFields, fieldLabels, providerFields, restrictionFields } from './oidc-fields.ts'
import {
  isMoved,
  lockedFields,
  type OidcForm,
  oidcProblems,
  type OidcProblems,
  type OidcTextField,
  toForm,
  toInput,
} from './oidc-form.ts'

/** Edits overlay the server's values, so that a background reload loses none. */
export function OidcSettings({ config }: { config: OidcConfig }) {
  const [edits, setEdits] = useState<Partial<OidcForm>>({})
  const [problems, setProblems] = useState<OidcProblems>({})
  const form = { ...toForm(config), ...edits }
  const fixed = lockedFields(config)
  const locked = fixed.length > 0
  const save = useSave()
  const isDirty = !isEqual(form, toForm(config))
  const isSavable = Object.keys(oidcProblems(form, config)).length === 0

  const saveForm = (then?: (isSaved: boolean) => void) =>
    save.mutate(form, {
      onSuccess: () => {
        // text typed during the save stays
        setEdits((now) => (now === edits ? {} : now))
        then?.(true)
      },
      onError: () => then?.(false),
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblems(oidcProblems(form, config))
    if (isSavable) saveForm()
  }
  const edit = (change: Partial<OidcForm>) => setEdits((before) => ({ ...before, ...change }))
  const field = ({ name, ...texts }: { name: OidcTextField; label: string }) => (
    <TextField
      key={name}
      {...texts}
      value={form[name]}
      onChange={(text) => edit({ [name]: text })}
      error={problems[name]}
      disabled={locked}
      autoComplete="off"
      spellCheck={false}
    />
  )

  return (
    <form noValidate onSubmit={submit} className="p-4">
      {locked && (
        <div className="mb-4">
          <Notice tone="accent" title="Set by the environment">
            {`These settings can only be read here, because environment variables fix: ${fixed.map((name) => fieldLabels[name] ?? name).join(', ')}.`}
          </Notice>
        </div>
      )}
      <div className="flex flex-col gap-5">
        <Switch
          label={fieldLabels['enabled']!}
          hint="The sign-in page offers it beside name and password."
          checked={form.enabled}
          onChange={(enabled) => edit({ enabled })}
          disabled={locked}
        />
        <Group title="Provider">
          {providerFields.map(field)}
          <ClientSecret
            form={form}
            edit={edit}
            stored={config.clientSecretSet}
            moved={isMoved(form, config)}
            problem={problems.clientSecret}
            locked={locked}
          />
        </Group>
        <Group title="Addresses">
          {addressFields.map((one) =>
            field(one.name === 'redirectUrl' ? { ...one, ...redirectTexts(config.defaultRedirect) } : one),
          )}
        </Group>
        <Group title="Claims">{claimFields.map(field)}</Group>
        <Group title="Who may sign in">
          {restrictionFields.map(field)}
          <EveryoneIsAdmin form={form} edit={edit} locked={locked} />
        </Group>
      </div>
      {save.error && (
        <div className="mt-4">
          <Notice tone="red" title="Failed to save OIDC settings" announce>
            {reasonOf(save.error)}
          </Notice>
        </div>
      )}
      {!locked && (
        <div className="mt-5 flex flex-wrap justify-end gap-2">
          {isDirty && (
            <Button
              variant="ghost"
              onClick={() => {
                setEdits({})
                setProblems({})
              }}
            >
              Discard
            </Button>
          )}
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending ? 'Saving...' : 'Save single sign-on'}
          </Button>
        </div>
      )}
      <UnsavedGuard
        isDirty={isDirty && !locked}
        isSaving={save.isPending}
        save={isSavable ? saveForm : undefined}
        stays={(path) => path === '/settings/security'}
      />
    </form>
  )
}

const redirectTexts = (usual: string) => ({
  placeholder: usual,
  hint: `Register it with the provider. Empty: ${usual}`,
})

interface GroupProps {
  title: string
  children: ReactNode
}

function Group({ title, children }: GroupProps) {
  return (
    <div role="group" aria-label={title} className="border-t border-line pt-4">
      <h3 className="mb-3 text-table font-semibold">{title}</h3>
      <div className="grid items-start gap-4 md:grid-cols-2">{children}</div>
    </div>
  )
}

interface EveryoneIsAdminProps {
  form: OidcForm
  edit: (change: Partial<OidcForm>) => void
  locked: boolean
}

/** Always shows which of the two applies, even if read-only. */
function EveryoneIsAdmin({ form, edit, locked }: EveryoneIsAdminProps) {
  const { adminGroups, everyoneIsAdmin } = form
  const byGroups = adminGroups.trim() !== ''
  const hint = byGroups
    ? 'Members of the administrator groups are administrators; everyone else is a viewer.'
    : everyoneIsAdmin
      ? 'Without administrator groups everyone who may sign in can change everything.'
      : 'Without administrator groups everyone who may sign in is a viewer.'
  return (
    <Switch
      label={fieldLabels['everyoneIsAdmin']!}
      hint={hint}
      checked={everyoneIsAdmin && !byGroups}
      onChange={(on) => edit({ everyoneIsAdmin: on })}
      disabled={locked || byGroups}
    />
  )
}

function useSave() {
  const api = useApi()
  const queries = useQueryClient()
  const { refresh } = useSession()
  return useChange({
    mutationFn: (form: OidcForm) => api.call(putOidcConfig, { body: toInput(form) }),
    onSuccess: (saved) => {
      queries.setQueryData([getOidcConfig.path], saved)
      toast.success('OIDC settings updated')
      void refresh()
    },
  })
}
