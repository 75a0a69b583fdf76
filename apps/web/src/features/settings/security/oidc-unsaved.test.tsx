// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import { aRouter } from '../../../ui/router/fake-history.ts'
import { RouterContext } from '../../../ui/router/use-router.ts'
import { Answer, anOidcConfig, renderSettings } from '../fake-settings.tsx'
import { OidcPanel } from './oidc-panel.tsx'

const load = 'GET /api/security/oidc'
const save = 'PUT /api/security/oidc'
const config = anOidcConfig({ issuerUrl: 'https://id', clientId: 'pulse' })

async function edited(replies: Record<string, unknown> = {}, clientId = 'pulse2') {
  const router = aRouter('/settings/security')
  const view = await renderSettings(
    <RouterContext value={router}>
      <OidcPanel />
    </RouterContext>,
    { replies: { [load]: config, [save]: { ...config, clientId }, ...replies } },
  )
  fireEvent.change(await screen.findByLabelText('Client ID'), { target: { value: clientId } })
  const go = (to: string) => act(() => router.go(to))
  const path = () => router.view().location.path
  const sent = () => view.calls.filter(({ call }) => call === save)
  return { go, path, sent }
}

const dialog = () => screen.queryByRole('dialog', { name: 'Leave without saving?' })
const press = (name: string) =>
  act(async () => void fireEvent.click(within(dialog()!).getByRole('button', { name })))

afterEach(cleanup)

describe('edits of single sign-on', () => {
  test('are asked for before the page is left, and can be saved there', async () => {
    const { go, path, sent } = await edited()
    await go('/proxmox/overview')
    expect(path()).toBe('/settings/security')
    await press('Save changes')
    await waitFor(() => expect(path()).toBe('/proxmox/overview'))
    expect(sent()).toEqual([
      expect.objectContaining({ body: expect.objectContaining({ clientId: 'pulse2' }) }),
    ])
  })

  test('that are refused keep the page', async () => {
    const { go, path } = await edited({ [save]: new Answer(400, { error: 'Not like this' }) })
    await go('/settings/system')
    await press('Save changes')
    await waitFor(() => expect(dialog()).toBeNull())
    expect(path()).toBe('/settings/security')
    expect(screen.getByRole('alert').textContent).toContain('Not like this')
  })

  test('that cannot be saved can only be discarded, or stayed with', async () => {
    const { go } = await edited()
    fireEvent.click(screen.getByRole('switch', { name: 'Enable single sign-on' }))
    fireEvent.change(screen.getByLabelText('Issuer URL'), { target: { value: '' } })
    await go('/settings/system')
    expect(within(dialog()!).queryByRole('button', { name: 'Save changes' })).toBeNull()
    expect(within(dialog()!).getByRole('button', { name: 'Discard changes' })).toBeDefined()
  })

  test('what was typed back is no edit', async () => {
    const { go, path } = await edited()
    fireEvent.change(screen.getByLabelText('Client ID'), { target: { value: 'pulse' } })
    await go('/settings/system')
    expect([dialog(), path()]).toEqual([null, '/settings/system'])
  })
})
