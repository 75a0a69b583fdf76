import { commandLine } from './shell.ts'
import { withoutTail } from './text.ts'

/** Where an agent reports to, and with what. */
export interface AgentSetup {
  /** address of this server, as the agent's host reaches it */
  pulseUrl: string
  token: string
}

/** Between two reports, unless the agent is told otherwise. */
export const agentIntervalSeconds = 30

/** What an administrator runs on a container host, as root. Every value is quoted for a shell. */
export function agentInstallCommand({ pulseUrl, token }: AgentSetup): string {
  const url = withoutTail(pulseUrl, '/')
  return runScript(url, ['--url', url, '--token', token, '--interval', `${agentIntervalSeconds}s`])
}

/** Takes the agent off the host again. */
export const agentUninstallCommand = (pulseUrl: string): string =>
  runScript(withoutTail(pulseUrl, '/'), ['--uninstall'])

const runScript = (url: string, words: readonly string[]) =>
  `${commandLine(['curl', '-fsSL', `${url}/install-docker-agent.sh`])} | ${commandLine(['sh', '-s', '--', ...words])}`
