interface RestartSteps {
  text: string
  command: string
}

const systemd = {
  text: 'Restart the service on the machine that runs Pulse:',
  command: 'sudo systemctl restart pulse',
}
const byHand = {
  text: 'Stop the running process with Ctrl+C, then start it again in the folder of Pulse:',
  command: 'npm start',
}

const byDeployment: Readonly<Record<string, RestartSteps>> = {
  docker: {
    text: 'Restart the container; use its name if you gave it another one:',
    command: 'docker restart pulse',
  },
  systemd,
  proxmoxve: {
    text: 'Open the console of the Pulse container in Proxmox VE and restart the service:',
    command: 'systemctl restart pulse',
  },
  manual: byHand,
  source: byHand,
  development: byHand,
}

/** How this kind of installation is restarted. */
export const restartSteps = (deploymentType: string | undefined): RestartSteps =>
  byDeployment[deploymentType ?? ''] ?? byHand
