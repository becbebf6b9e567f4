import type { Context } from 'aws-lambda'

/** What Lambda says of an invocation that has a minute left. */
export const LAMBDA_CONTEXT: Context = {
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'tested',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:tested',
  memoryLimitInMB: '1024',
  awsRequestId: 'test',
  logGroupName: 'tested',
  logStreamName: 'tested',
  getRemainingTimeInMillis: () => 60_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
}
