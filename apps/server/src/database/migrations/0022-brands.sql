-- Under whose name an account's mails and documents go out: a key of the list of brands, or none for that of the account above.
alter table account add column account_brand text;
