// @vitest-environment happy-dom
import { aGuest, aNode, anAlert } from '@pulse/testkit'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { AlertName } from './alert-name.tsx'

afterEach(cleanup)

const live = () =>
  aLive({
    guests: { 'c:100': aGuest({ id: 'main-pve1-100' }) },
    nodes: { 'c:pve1': aNode({ id: 'main-pve1' }) },
  })
const show = async (change: Parameters<typeof anAlert>[0], resourceType: string) => {
  const alert = anAlert({ resourceName: 'web', ...change, metadata: { resourceType } })
  const state = live()
  await renderInApp(<AlertName alert={alert} tabIndex={0} className="" />, { live: state })
  return state
}
const target = () => screen.getByRole('link', { name: 'web' }).getAttribute('href')

test.each([
  ['VM', 'main-pve1-100', 'cpu', '/proxmox/guest/c%3A100'],
  ['CT', 'main-pve1-100', 'powered-off', '/proxmox/guest/c%3A100'],
  ['Node', 'main-pve1', 'memory', '/proxmox/node/c%3Apve1'],
  ['VM', 'main-pve1-100', 'backup-age', '/proxmox/backups?search=web'],
  ['Storage', 'main-pve1-100', 'usage', '/proxmox/storage?search=web'],
  ['VM', 'main-pve1-999', 'cpu', '/proxmox/overview?search=web'],
])('[M 3.3] the name of a %s %s in an alert of %s leads to %s', async (kind, resourceId, type, path) => {
  await show({ resourceId, type }, kind)
  expect(target()).toBe(path)
})

test('[M 3.3] once the guest is gone, its name leads to the search', async () => {
  const state = await show({ resourceId: 'main-pve1-100', type: 'cpu' }, 'VM')
  await act(async () => state.remove('guests', 'c:100'))
  expect(target()).toBe('/proxmox/overview?search=web')
})
