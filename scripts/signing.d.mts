/** The unsigned list of the agents in a folder. */
export function agentList(folder: string): string
