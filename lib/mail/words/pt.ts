import type { MailWords } from './words.ts'

/** Portuguese. */
export const pt: MailWords = {
  links: {
    'password-reset': ({ lifetime }) => ({
      title: 'Escolha uma nova senha',
      text: 'Alguém, provavelmente você, pediu para escolher uma nova senha para a sua conta.',
      action: 'Escolher uma nova senha',
      closing: `O link funciona uma única vez, durante ${lifetime}. Uma nova senha encerra a sessão em todos os dispositivos. Se não foi você quem pediu, ignore esta mensagem: nada muda.`,
    }),
    'email-verification': ({ lifetime }) => ({
      title: 'Confirme o seu endereço de e-mail',
      text: 'Foi criada uma conta com este endereço de e-mail. Se a conta é sua, confirme o endereço.',
      action: 'Confirmar o endereço',
      closing: `O link funciona durante ${lifetime}. Se não criou nenhuma conta, não o abra. Pode recuperar o endereço pedindo uma nova senha.`,
    }),
    'email-change': ({ lifetime }) => ({
      title: 'Confirme o seu novo endereço de e-mail',
      text: 'Alguém, provavelmente você, pediu para usar este endereço de e-mail em uma conta.',
      action: 'Usar este endereço',
      closing: `O link funciona uma única vez, durante ${lifetime}. Se não foi você quem pediu, ignore esta mensagem: nada muda.`,
    }),
    'email-undo': ({ lifetime }) => ({
      title: 'O seu endereço de e-mail foi alterado',
      text: 'A sua conta tem agora outro endereço de e-mail. Se não foi você, desfaça a alteração: o endereço antigo volta, a sessão é encerrada em todos os dispositivos e você escolhe uma nova senha.',
      action: 'Desfazer a alteração',
      closing: `O link funciona durante ${lifetime}. Se foi você quem alterou o endereço, não precisa fazer nada.`,
    }),
  },
  emailChangeAsked: {
    title: 'Foi pedido outro endereço de e-mail',
    text: 'Alguém com sessão iniciada na sua conta pediu para alterar o endereço de e-mail. Nada muda enquanto o novo endereço não for confirmado. Se não foi você, altere a sua senha.',
  },
  emailTaken: {
    title: 'Alguém pediu o seu endereço de e-mail',
    text: 'Alguém pediu para usar este endereço de e-mail em outra conta. Ele pertence à sua, por isso nada muda. Se foi você, entre com este endereço.',
  },
  orOpen: 'Se o botão não funcionar, abra este endereço:',
  message: 'A nossa mensagem para você:',
  always: 'As mensagens sobre a sua identidade e a segurança da sua conta são sempre enviadas.',
  stop: {
    listings: 'Não receber mais e-mails sobre os meus anúncios',
    enquiries: 'Não receber mais e-mails sobre consultas',
    payments: 'Não receber mais e-mails sobre pagamentos',
    favourites: 'Não receber mais e-mails sobre os meus favoritos',
    searches: 'Não receber mais e-mails sobre as minhas pesquisas guardadas',
  },
}
