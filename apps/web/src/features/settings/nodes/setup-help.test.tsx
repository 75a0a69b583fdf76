// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import { renderWithLive, toasts } from './fake-nodes.tsx'
import { manualSteps } from './manual-steps.ts'
import { newForm } from './node-form.ts'
import { SetupHelp } from './setup-help.tsx'

const issue = 'POST /api/setup-script-url'
const script = 'GET /api/setup-script'
const now = Date.UTC(2026, 0, 1, 12)
const issued = {
  url: 'https://pulse.example/api/setup-script',
  command: 'curl -H "X-Setup-Code: abc" … | bash',
  setupCode: 'one-time-code',
  expires: now / 1000 + 300,
  expiresInSeconds: 300,
  fileName: 'pulse-setup.sh',
  notes: ['The certificate of Pulse is checked.'],
}
const copied = vi.fn<(text: string) => Promise<void>>()

const show = (kind: 'pve' | 'pbs' | 'pmg', host: string, replies: Record<string, unknown> = {}) =>
  renderWithLive(<SetupHelp kind={kind} form={{ ...newForm(kind), host }} editing />, { replies })

function WithHostField() {
  const [host, setHost] = useState('')
  return (
    <>
      <input aria-label="Host" value={host} onChange={(event) => setHost(event.target.value)} />
      <SetupHelp kind="pve" form={{ ...newForm('pve'), host }} editing />
    </>
  )
}

async function click(name: string, index = 0) {
  fireEvent.click(screen.getAllByRole('button', { name })[index]!)
  await settled()
}

beforeEach(() => {
  toasts()
  copied.mockReset().mockResolvedValue()
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: copied } })
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('[spec 2 §2] Quick setup', () => {
  test('[spec 2 §5] needs the host URL', async () => {
    const { calls } = await show('pve', ' ')
    await click('Generate command')
    expect(screen.getByRole('alert').textContent).toBe('Please enter the Host URL first')
    expect(calls).toEqual([])
  })

  test.each([
    ['pve', true],
    ['pbs', false],
  ] as const)(
    '[spec 2 §7] for %s asks with backupPerms %s and shows the command',
    async (kind, backupPerms) => {
      const { calls } = await show(kind, 'server', { [issue]: issued })
      await click('Generate command')
      expect(calls[0]!.body).toEqual({ type: kind, host: 'server', backupPerms })
      expect(screen.getByLabelText<HTMLInputElement>('Setup command').value).toBe(issued.command)
      expect(screen.getByRole('timer').textContent).toBe('5:00')
      expect(screen.getByRole('timer').parentElement!.textContent).toBe(
        'Waiting for the server. The command works once, within the next 5:00',
      )
      expect(screen.getByText(issued.notes[0]!)).toBeDefined()
    },
  )

  test('with the temperature helper on request; a command made without it is not shown any more', async () => {
    const { calls } = await show('pve', 'server', { [issue]: issued })
    await click('Generate command')
    fireEvent.click(screen.getByRole('checkbox', { name: 'Also install the temperature helper' }))
    expect(screen.queryByLabelText('Setup command')).toBeNull()
    await click('Generate command')
    expect(calls[1]!.body).toEqual({ type: 'pve', host: 'server', backupPerms: true, temperature: true })
  })

  test.each([-10, 0, 10])(
    'counts down while the code waits, in a browser that is %s minutes off',
    async (minutes) => {
      await show('pve', 'server', {
        [issue]: { ...issued, expires: now / 1000 + 65 + minutes * 60, expiresInSeconds: 65 },
      })
      await click('Generate command')
      expect(screen.getByRole('timer').textContent).toBe('1:05')
    },
  )

  test.each([
    ['http://localhost:7655', true],
    ['https://127.0.0.1:7655', true],
    ['http://[::1]:7655', true],
    ['https://pulse.example', false],
  ])('warns when Pulse’s own address is %s: %s', async (own, warns) => {
    await show('pve', 'server', { [issue]: { ...issued, url: `${own}/api/setup-script` } })
    await click('Generate command')
    expect(screen.queryByText(`Another machine cannot reach Pulse at ${own}`) !== null).toBe(warns)
  })

  test('an expired command says so', async () => {
    await show('pve', 'server', { [issue]: { ...issued, expiresInSeconds: 0 } })
    await click('Generate command')
    expect(screen.getByRole('alert').textContent).toBe('The command has expired. Generate a new one.')
  })

  test('a command for another host is not shown', async () => {
    await renderWithLive(<WithHostField />, { replies: { [issue]: issued } })
    fireEvent.change(screen.getByLabelText('Host'), { target: { value: 'server' } })
    await click('Generate command')
    expect(screen.queryByLabelText('Setup command')).not.toBeNull()
    fireEvent.change(screen.getByLabelText('Host'), { target: { value: 'another' } })
    expect(screen.queryByLabelText('Setup command')).toBeNull()
  })

  test('[spec 2 §8] a failure says so', async () => {
    await show('pve', 'server', { [issue]: new Answer(500) })
    await click('Generate command')
    expect(toasts()).toEqual(['error: Failed to generate setup URL'])
  })

  test('[spec 2 §8] copying says so, and so does its failure', async () => {
    await show('pve', 'server', { [issue]: issued })
    await click('Generate command')
    await click('Copy')
    expect(copied.mock.calls).toEqual([[issued.command]])
    copied.mockRejectedValue(new Error('not allowed'))
    await click('Copied!')
    expect(toasts()).toEqual(['success: Command copied to clipboard!', 'error: Failed to copy to clipboard'])
  })
})

describe('[spec 2 §8] the script as a download', () => {
  test.each([
    ['pve', 'pulse-setup.sh', 'Script downloaded! Upload it to your server and run: bash pulse-setup.sh'],
    [
      'pbs',
      'pulse-pbs-setup.sh',
      'Script downloaded! Upload it to your backup server and run: bash pulse-pbs-setup.sh',
    ],
  ] as const)('%s: %s', async (kind, name, toast) => {
    const saved: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download)
    })
    const { calls } = await show(kind, 'server', { [issue]: issued, [script]: '#!/bin/bash' })
    await click('Generate command')
    await click('Download script')
    expect(saved).toEqual([name])
    expect(toasts()).toEqual([`success: ${toast}`])
    const query = new URLSearchParams(calls.at(-1)!.search)
    expect([query.get('type'), query.get('host'), query.get('backup_perms')]).toEqual([
      kind,
      'server',
      kind === 'pve' ? 'true' : null,
    ])
    expect(screen.getByLabelText<HTMLInputElement>('One-time code').value).toBe('one-time-code')
  })

  test('a failure says so', async () => {
    await show('pve', 'server', { [issue]: issued, [script]: new Answer(403) })
    await click('Generate command')
    await click('Download script')
    expect(toasts()).toEqual(['error: Failed to download script. Please check your connection.'])
  })
})

describe('Manual', () => {
  test.each(['pve', 'pbs'] as const)('%s shows every step and command', async (kind) => {
    await show(kind, '')
    fireEvent.click(screen.getByRole('radio', { name: 'Manual' }))
    const fields = screen.getAllByRole<HTMLInputElement>('textbox')
    expect(fields.map(({ value }) => value)).toEqual(manualSteps[kind].flatMap(({ commands }) => commands))
    expect(screen.getAllByRole('listitem')).toHaveLength(manualSteps[kind].length)
  })

  test('a mail gateway has only these', async () => {
    await show('pmg', '')
    expect(screen.queryByRole('radio')).toBeNull()
    expect(screen.getAllByRole('textbox', { hidden: true })).toHaveLength(1)
  })

  test('[spec 2 §8] copying says so, and so does its failure', async () => {
    await show('pve', '')
    fireEvent.click(screen.getByRole('radio', { name: 'Manual' }))
    await click('Copy')
    copied.mockRejectedValue(new Error('not allowed'))
    await click('Copy')
    expect(toasts()).toEqual(['success: Command copied!', 'error: Failed to copy command'])
  })
})

test('there is no help for the kind of account that is not made by it', async () => {
  const form = { ...newForm('pve'), authType: 'password' as const }
  const { container } = await renderWithLive(<SetupHelp kind="pve" form={form} editing={false} />)
  expect(container.textContent).toBe('')
})

test('beside a new node there are only the steps: the script has a place of its own', async () => {
  await renderWithLive(<SetupHelp kind="pve" form={newForm('pve')} editing={false} />)
  expect(screen.queryByRole('radio')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Generate command' })).toBeNull()
  expect(screen.getAllByRole('listitem')).toHaveLength(manualSteps.pve.length)
})
