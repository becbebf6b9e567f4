import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import {
  GetAccountCommand,
  GetEmailIdentityCommand,
  NotFoundException,
  SESv2Client,
} from '@aws-sdk/client-sesv2'
import { SSMClient } from '@aws-sdk/client-ssm'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { openAccount } from './account.ts'
import type { AwsFacts } from './doctor.ts'

/** Opens AWS in a region, with the credentials in use. */
export function awsIn(region: string): AwsFacts {
  const mail = new SESv2Client({ region })
  return {
    account: openAccount({ ssm: new SSMClient({ region }), secrets: new SecretsManagerClient({ region }) }),
    whoAmI: async () =>
      (await new STSClient({ region }).send(new GetCallerIdentityCommand({}))).Account ?? '',
    // Undefined where the credentials may not read the quota: it is then not checked.
    concurrency: () =>
      new LambdaClient({ region }).send(new GetAccountSettingsCommand({})).then(
        ({ AccountLimit }) => AccountLimit?.ConcurrentExecutions,
        () => undefined,
      ),
    mayMailStrangers: () =>
      mail
        .send(new GetAccountCommand({}))
        .then(({ ProductionAccessEnabled = false }) => ProductionAccessEnabled),
    mailIdentity: async (address) => {
      const domain = address.slice(address.indexOf('@') + 1)
      const known = await Promise.all(
        [address, domain].map((EmailIdentity) =>
          mail.send(new GetEmailIdentityCommand({ EmailIdentity })).catch(undefinedIfUnknown),
        ),
      )
      return {
        isVerified: known.some((identity) => identity?.VerifiedForSendingStatus === true),
        isSigned: known.some((identity) => identity?.DkimAttributes?.Status === 'SUCCESS'),
      }
    },
  }
}

/** Any other failure says nothing of the identity, and is thrown on. */
function undefinedIfUnknown(error: unknown): undefined {
  if (!(error instanceof NotFoundException)) throw error
}
