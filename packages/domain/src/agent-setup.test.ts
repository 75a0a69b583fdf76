import { describe, expect, test } from 'vitest'
import { agentInstallCommand, agentUninstallCommand } from './agent-setup.ts'

describe('[spec 2 §7] the install command', () => {
  test('fetches the script from this server and runs it with address and interval; the token is no argument, which every user of the host could read', () => {
    expect(agentInstallCommand({ pulseUrl: 'https://pulse.example.org:7655', token: 'ab12' })).toBe(
      "curl -fsSL 'https://pulse.example.org:7655/install-docker-agent.sh' | PULSE_TOKEN=ab12 sh -s -- --url 'https://pulse.example.org:7655' --interval 30s",
    )
  })

  test('of an address with a slash at its end has none there', () => {
    expect(agentInstallCommand({ pulseUrl: 'http://pulse/', token: 'ab12' })).toContain(
      "--url 'http://pulse' ",
    )
  })

  test('quotes values that a shell would expand', () => {
    expect(agentInstallCommand({ pulseUrl: "http://pulse/$(id)'", token: 'a b; reboot' })).toBe(
      String.raw`curl -fsSL 'http://pulse/$(id)'\''/install-docker-agent.sh' | PULSE_TOKEN='a b; reboot' sh -s -- --url 'http://pulse/$(id)'\''' --interval 30s`,
    )
  })
})

test('[spec 2 §7] the uninstall command runs the same script with --uninstall', () => {
  expect(agentUninstallCommand('http://192.0.2.5:7655')).toBe(
    "curl -fsSL 'http://192.0.2.5:7655/install-docker-agent.sh' | sh -s -- --uninstall",
  )
})
