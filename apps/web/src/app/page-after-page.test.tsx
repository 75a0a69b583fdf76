// @vitest-environment happy-dom
import { aSecurityStatus } from '@pulse/testkit'
import { act, cleanup, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { showPages } from './fake-app.tsx'
import type { Page } from './routes.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Opens a page; the test resolves the code of the next one. */
async function setup(first: Partial<Page>, status = aSecurityStatus()) {
  const next = Promise.withResolvers<ComponentType>()
  const table = [
    { path: '/proxmox/overview', area: 'proxmox', label: 'First', ...first },
    { path: '/fine', area: 'settings', label: 'Next', load: () => next.promise },
  ] as Page[]
  const router = await showPages({ table, path: '/proxmox/overview', status })
  let navigation: Promise<void> = Promise.resolve()
  return {
    leave: () => act(async () => void (navigation = router.go('/fine'))),
    arrive: () =>
      act(async () => {
        next.resolve(() => <p>fine page</p>)
        await navigation
      }),
  }
}

test('after a failed page the next one appears, even if its code loads slowly', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { leave, arrive } = await setup({
    load: async () => () => {
      throw new Error('broken page')
    },
  })
  expect(screen.getByRole('main').textContent).toContain('Something went wrong')
  await leave()
  await arrive()
  expect(screen.getByRole('main').textContent).toContain('fine page')
})

test('a page for administrators stays hidden from others during navigation', async () => {
  const drawn = vi.fn(() => <p>for administrators</p>)
  const viewer = { ...aSecurityStatus(), role: 'viewer' } as ReturnType<typeof aSecurityStatus>
  const { leave, arrive } = await setup({ adminTo: 'see this', load: async () => drawn }, viewer)
  await leave()
  await arrive()
  expect(drawn).not.toHaveBeenCalled()
  expect(screen.getByRole('main').textContent).toContain('fine page')
})
