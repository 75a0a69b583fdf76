import type { getSystemSettings, ReplyOf, SystemSettings } from '@pulse/contract'
import { useLayoutEffect } from 'react'
import { type EditedField, type Edits, useSystemEdits } from './system-edits.tsx'

export type LoadedSettings = ReplyOf<typeof getSystemSettings>

export interface SystemForm {
  /** stored values with the edits applied */
  values: SystemSettings
  change(edits: Edits): void
  isLocked(field: EditedField): boolean
  /** props of a text field, with the server's objection */
  notes(field: EditedField, hint: string): { hint: string; error: string | undefined; disabled: boolean }
}

export const lockedHint = 'Set by the environment or pulse.yaml. It can only be changed there.'

export const isLocked = ({ envOverrides }: LoadedSettings, field: keyof SystemSettings): boolean =>
  envOverrides[field] === true

export function useSystemForm(settings: LoadedSettings): SystemForm {
  const { shown = settings, rebase, problems, change } = useSystemEdits()
  useLayoutEffect(() => rebase(settings), [rebase, settings])
  return {
    values: shown,
    change,
    isLocked: (field) => isLocked(settings, field),
    notes: (field, hint) => ({
      hint: isLocked(settings, field) ? lockedHint : hint,
      error: problems[field],
      disabled: isLocked(settings, field),
    }),
  }
}
