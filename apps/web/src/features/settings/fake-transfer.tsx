import type { SecurityStatus } from '@pulse/contract'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { aStatus, renderSettings, settled } from './fake-settings.tsx'
import { toastQueue } from '../../ui/toast.ts'
import { TransferButtons } from './backup-restore-panel.tsx'

export const exportCall = 'POST /api/config/export'
export const importCall = 'POST /api/config/import'
export const previewCall = 'POST /api/config/import/preview'
export const preview = {
  status: 'success',
  summary: '2 nodes',
  nodes: [],
  accounts: [],
  tokens: [],
  providers: [],
  destinations: [],
  allowedHosts: [],
  switchesAlertsOff: false,
  notes: [],
}
export const file = { status: 'success', data: 'c2VhbGVk' }
export const imported = { status: 'success', message: 'Imported: 2 nodes.', notes: [] }

export const off = aStatus({ hasAuthentication: false, disabled: true })
export const { user: _user, ...signedOut } = aStatus()

export const show = (replies: Record<string, unknown> = {}, status: SecurityStatus = aStatus()) =>
  renderSettings(<TransferButtons />, {
    status,
    replies: { [exportCall]: file, [previewCall]: preview, [importCall]: imported, ...replies },
  })

export const dialog = (name: string) => within(screen.getByRole('dialog', { name }))
export const exporting = () => dialog('Export configuration')
export const importing = () => dialog('Import configuration')
export const prompting = () => dialog('API token required')
export const isOpen = (name: string) => screen.queryByRole('dialog', { name }) !== null

export const open = (name: 'Export' | 'Import') =>
  act(async () => void fireEvent.click(screen.getByRole('button', { name })))
export const type = (area: ReturnType<typeof dialog>, label: string, value: string) =>
  fireEvent.change(area.getByLabelText(label), { target: { value } })
export async function press(area: ReturnType<typeof dialog>, name: string) {
  fireEvent.click(area.getByRole('button', { name }))
  await settled()
}
export async function enter(area: ReturnType<typeof dialog>, label: string) {
  fireEvent.submit(area.getByLabelText(label).closest('form')!)
  await settled()
}
export const custom = () =>
  act(async () => exporting().getByRole('radio', { name: 'Custom passphrase' }).click())

export function choose(text: string) {
  const files = [new File([text], 'pulse-config-2026-11-21.json', { type: 'application/json' })]
  fireEvent.change(importing().getByLabelText('Configuration file'), { target: { files } })
}
export async function send(text: string, password = 'old-secret') {
  await open('Import')
  choose(text)
  type(importing(), 'Backup password', password)
  await press(importing(), 'Import')
  await settled()
}
/** Confirms the import shown. */
export async function confirm() {
  await expect.poll(() => importing().queryByRole('button', { name: 'Import now' })).not.toBeNull()
  await press(importing(), 'Import now')
}

export function toasts() {
  const shown: string[] = []
  toastQueue.connect(({ kind, text }) => shown.push(`${kind}: ${text}`))()
  return shown
}

export function lost() {
  const failure = Promise.reject(new TypeError('Failed to fetch'))
  failure.catch(() => 'only the call that is answered with it minds')
  return failure
}

/** Files downloaded by the current test. */
export const downloads: { name: string; blob: Blob }[] = []

/** Gives every test in the file an unused browser. */
export function freshBrowser() {
  beforeEach(() => {
    sessionStorage.clear()
    toasts()
    downloads.length = 0
    let made: Blob
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      made = blob as Blob
      return 'blob:1'
    })
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      downloads.push({ name: this.download, blob: made })
    })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}
