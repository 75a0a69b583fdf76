// @vitest-environment happy-dom
import type { NodeConfig } from '@pulse/contract'
import { aMeta } from '@pulse/testkit'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { Answer, settled } from '../fake-settings.tsx'
import { change, click, field, type } from './fake-node-dialog.tsx'
import { aNodeConfig, inDialog, renderWithLive, sourcesOf, toasts } from './fake-nodes.tsx'
import { NodeDialog } from './section.tsx'

beforeEach(() => void toasts())
afterEach(cleanup)

async function edit(node: NodeConfig, records: Parameters<typeof aLive>[0] = {}, replies: object = {}) {
  const view = await renderWithLive(<NodeDialog kind={node.type} subject={{ node }} onClose={() => {}} />, {
    live: aLive(records),
    replies: { ...replies },
  })
  await settled()
  return { ...view, body: () => view.calls.find((one) => one.call === change)?.body }
}
const saved = { [change]: { status: 'success', id: 'pve-1' } }
const hasField = () => inDialog().queryByLabelText('Site') !== null

describe('the site of a connection', () => {
  test.each([
    ['no connection has one', {}, {}, false],
    ['this connection has one', { site: 'Berlin' }, {}, true],
    ['another connection has one', {}, { sources: sourcesOf({ other: { site: 'Berlin' } }) }, true],
    ['several processes monitor', {}, { meta: { meta: { ...aMeta(), isCluster: true } } }, true],
    ['one process monitors', {}, { meta: { meta: aMeta() } }, false],
  ])('%s: its field is shown: %#', async (_when, of, records, expected) => {
    await edit(aNodeConfig(of), records)
    expect(hasField()).toBe(expected)
  })

  test('is saved without the secret, and blank is the main site', async () => {
    const { body } = await edit(aNodeConfig({ site: 'Berlin' }), {}, saved)
    expect(field('Site').value).toBe('Berlin')
    type('Site', ' Rome ')
    await click('Update node')
    expect(body()).toMatchObject({ site: 'Rome' })
    expect(body()).not.toHaveProperty('tokenValue')
  })

  test('can be removed', async () => {
    const { body } = await edit(aNodeConfig({ site: 'Berlin' }), {}, saved)
    type('Site', '')
    await click('Update node')
    expect(body()).toMatchObject({ site: '' })
  })

  test('is not sent where there are no sites', async () => {
    const { body } = await edit(aNodeConfig(), {}, saved)
    type('Name', 'renamed')
    await click('Update node')
    expect(body()).toMatchObject({ name: 'renamed' })
    expect(body()).not.toHaveProperty('site')
  })

  test('has its own refusal', async () => {
    const { body } = await edit(
      aNodeConfig({ site: 'Berlin' }),
      {},
      {
        [change]: new Answer(400, {
          error: 'Bad',
          code: 'validation_failed',
          details: { site: 'The site must be plain text.' },
        }),
      },
    )
    type('Site', 'x')
    await click('Update node')
    expect(body()).toBeDefined()
    expect(screen.getByText('The site must be plain text.')).toBeDefined()
  })
})
