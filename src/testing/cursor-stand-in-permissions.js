// The part of the stand-in that knows `permissions` of cli-config.json: what is denied there is denied under every flag.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function permissionsOf(configDirectory, flags) {
  const read = () => {
    try {
      const settings = JSON.parse(readFileSync(join(configDirectory, 'cli-config.json'), 'utf8'))
      return { allow: [], deny: [], ...settings.permissions }
    } catch {
      return { allow: [], deny: [] }
    }
  }
  const decide = (names, isOpen) => {
    const { allow, deny } = read()
    if (names.some((name) => deny.includes(name))) return false
    return Boolean(isOpen) || names.some((name) => allow.includes(name))
  }
  return {
    isAllowed: (command) =>
      decide(
        [`Shell(${command.split(' ')[0]})`, 'Shell(*)'],
        flags.force || flags.autoReview || flags.sandbox === 'enabled',
      ),
    isServerToolAllowed: (server, tool) =>
      decide([`Mcp(${server}:${tool})`, `Mcp(${server}:*)`], flags.force),
  }
}
