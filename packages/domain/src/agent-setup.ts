import { commandLine } from './shell.ts'
import { withoutTail } from './text.ts'

/** The server address and token of an agent. */
export interface AgentSetup {
  /** address of this server for the agent's host */
  pulseUrl: string
  token: string
}

/** s between two reports; the agent's settings can override it */
export const agentIntervalSeconds = 30

/**
 * The command that an administrator runs as root on a container host. Every value is quoted for the shell.
 * The token is a variable, because every user of the host can read arguments in the process list.
 */
export function agentInstallCommand({ pulseUrl, token }: AgentSetup): string {
  const url = withoutTail(pulseUrl, '/')
  const words = ['--url', url, '--interval', `${agentIntervalSeconds}s`]
  return runScript(url, words, `PULSE_TOKEN=${commandLine([token])} `)
}

/** Uninstalls the agent. */
export const agentUninstallCommand = (pulseUrl: string): string =>
  runScript(withoutTail(pulseUrl, '/'), ['--uninstall'])

const runScript = (url: string, words: readonly string[], variables = '') =>
  `${commandLine(['curl', '-fsSL', `${url}/install-docker-agent.sh`])} | ${variables}${commandLine(['sh', '-s', '--', ...words])}`
