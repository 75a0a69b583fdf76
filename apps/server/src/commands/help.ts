import { configUsage, siteKeyUsage } from './usage.ts'

/** One line, shown with the message about an unknown command. */
export const usage = `Commands: (none) starts Pulse · reset-password [--create] [name] · bootstrap-token · ${configUsage} · migrate-to-postgres · migrate-from-postgres · ${siteKeyUsage}`

export const isHelp = (word: string | undefined): boolean => ['--help', '-h', 'help'].includes(word ?? '')

export const help = `Pulse monitors Proxmox VE, Proxmox Backup Server, Proxmox Mail Gateway and Docker hosts.

Commands
  (none)                            start Pulse
  bootstrap-token                   print the one-time token for the first setup
  reset-password [name]             give an administrator a new password (default: admin); stop Pulse first
  reset-password --create <name>    create an administrator with a new password
  config export <file>              write the whole configuration, encrypted with PULSE_PASSPHRASE
  config check <file>               show what an import would change
  config import <file>              import an export of Pulse or of Pulse 4.x
    --confirm-destinations          new destinations of alerts send at once and new hosts are allowed; else disabled and left out
  migrate-to-postgres               move the data into the database of PULSE_DATABASE_URL; stop Pulse first
  migrate-from-postgres             move them back into the data folder
  site-key <site>                   make the key for collectors of a site that have no database
    --to <folder>                   write it to a new folder, with credentials and an account for NATS; else print it
    --new                           replace the key; the former one stops working at once
  --help                            print this text

An installed Pulse also has
  version                           print the version
  health [--wait SECONDS] [--expect VERSION]
                                    check the health of the running Pulse

In a checkout, run the same commands with: npm start -- <command>
PULSE_DATA_DIR sets the data folder. docs/configuration.md lists all variables.`
