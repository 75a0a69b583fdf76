import type { SourceKind } from '@pulse/contract'
import { fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { settled } from '../fake-settings.tsx'
import { inDialog, renderWithLive } from './fake-nodes.tsx'
import type { NodeDialogSubject } from './node-form.ts'
import { NodeDialog } from './section.tsx'

export const create = 'POST /api/config/nodes'
export const change = 'PUT /api/config/nodes/pve-1'
export const testNew = 'POST /api/config/nodes/test-connection'
export const testStored = 'POST /api/config/nodes/pve-1/test'
export const fingerprint = 'AB:CD:EF'

function Opened({ kind, subject }: { kind: SourceKind; subject: NodeDialogSubject }) {
  const [shown, setShown] = useState<NodeDialogSubject | undefined>(subject)
  return <NodeDialog kind={kind} subject={shown} onClose={() => setShown(undefined)} />
}

export async function show(
  kind: SourceKind,
  subject: NodeDialogSubject = {},
  replies: Record<string, unknown> = {},
) {
  const view = await renderWithLive(<Opened kind={kind} subject={subject} />, {
    replies,
  })
  return {
    ...view,
    bodies: (call: string) => view.calls.filter((one) => one.call === call).map(({ body }) => body),
  }
}

export const field = (label: string) =>
  inDialog().getByLabelText<HTMLInputElement>(label, { selector: 'input:not([type=radio]), textarea' })
export const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
export const choose = (label: string) => fireEvent.click(inDialog().getByRole('radio', { name: label }))
export const chosen = (group: string) =>
  within(inDialog().getByRole('radiogroup', { name: group, hidden: false }))
    .getAllByRole('radio', { checked: true })
    .map(({ textContent }) => textContent)
export const button = (name: string) => inDialog().getByRole('button', { name })
export async function click(name: string) {
  fireEvent.click(button(name))
  await settled()
}
export const problem = () => {
  const wrong = screen.getByRole('dialog').querySelector('[aria-invalid=true]')!
  return [
    document.querySelector(`label[for="${wrong.id}"]`)!.textContent,
    document.getElementById(wrong.getAttribute('aria-describedby')!)!.textContent,
  ]
}
export const isClosed = () => screen.queryByRole('dialog') === null

/** Opens the second step of a new node, in manual mode. */
export async function showAccess(
  kind: SourceKind,
  subject: NodeDialogSubject = {},
  replies: Record<string, unknown> = {},
) {
  const view = await show(kind, subject, replies)
  if (!subject.server) {
    type('Host URL', 'pve1')
    await click('Continue')
  }
  if (kind !== 'pmg') choose('Manual')
  return view
}

export function fillToken() {
  type('Token ID', 'mon@pam!pulse')
  type('Token value', 'secret')
}
