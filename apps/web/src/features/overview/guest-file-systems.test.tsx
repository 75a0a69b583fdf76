// @vitest-environment happy-dom
import type { Guest } from '@pulse/contract'
import { aGuest } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { within as timeout } from '../../../../../scripts/test-limits.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { GuestDetails } from './guest-details.tsx'

const GiB = 1024 ** 3
afterEach(cleanup)

const show = (guest: Partial<Guest>) =>
  renderInApp(<GuestDetails id="a" colSpan={11} withRates={false} />, {
    live: aLive({ guests: { a: aGuest(guest) } }),
  })

const panel = (title: string) => within(screen.getByRole('heading', { name: title }).parentElement!)

test('[M 3.6] [M 3.1] a file system says when it is full, and has its history', async () => {
  const forecast = { fullAt: Date.now() + 20.2 * 24 * 3_600_000 }
  const known = { mountpoint: '/srv', total: 60 * GiB, used: 6 * GiB, free: 54 * GiB, usage: 10 }
  await show({
    disks: [
      { ...known, forecast },
      { mountpoint: '/new', total: 60 * GiB },
    ],
  })
  const [srv, fresh] = panel('Filesystems').getAllByRole('listitem')
  expect(srv!.textContent).toBe('/srv6 GB of 60 GB (10.0%)Full in 20 days · at its present growth')
  expect(within(srv!).getByRole('button', { name: /^History of file system \/srv of / })).toBeDefined()
  expect(within(fresh!).queryByRole('button')).toBeNull()
})

test('[M 3.1] the charts of a file system stay its own when another one is mounted before it', async () => {
  const at = (mountpoint: string) => ({
    mountpoint,
    total: 60 * GiB,
    used: 6 * GiB,
    free: 54 * GiB,
    usage: 10,
  })
  const { live } = await show({ name: 'web', disks: [at('/'), at('/srv')] })
  const name = 'History of file system /srv of web'
  fireEvent.click(screen.getByRole('button', { name }))
  await screen.findByRole('dialog', { name }, { timeout: timeout(20_000) })
  const disks = [at('/'), at('/mnt'), at('/srv')]
  await act(async () => live.put({ guests: { a: aGuest({ name: 'web', disks }) } }))
  expect(screen.getByRole('dialog', { name })).toBeDefined()
})

test('a file system that tells its size alone is unknown, not empty', async () => {
  await show({ disks: [{ mountpoint: '/', total: 60 * GiB }] })
  expect(panel('Filesystems').getByRole('listitem').textContent).toBe('/60 GB, usage unknown')
})
